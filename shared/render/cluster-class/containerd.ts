import type { Feature } from './feature.ts';
import { addTemplate, appendFile, base64File as file } from './json-patch.ts';
import { maximumFileLength } from './limits.ts';
import { kubeadm, spec } from './paths.ts';
import { controlPlane, workers } from './selectors.ts';
import { optionalText, requiredText } from './variable.ts';

const configPath = '/etc/containerd/config.toml';
const proxyPath = '/etc/systemd/system/containerd.service.d/proxy.conf';

/**
 * containerd's own files; the templates' first command restarts it. This feature opens the workers' list of files, to which
 * others append, so it stands before them.
 */
export const containerd: Feature = {
  variables: [
    requiredText('containerdConfig', "containerd's configuration, base64.", maximumFileLength),
    optionalText('systemdProxyConfig', "systemd drop-in with containerd's proxy settings, base64.", maximumFileLength),
  ],
  patches: [
    {
      name: 'containerdConfig',
      definitions: [
        { selector: controlPlane, jsonPatches: [appendFile(`${kubeadm}/files`, configPath, '.containerdConfig')] },
        { selector: workers, jsonPatches: [addTemplate(`${spec}/files`, [file(configPath, '.containerdConfig')])] },
      ],
    },
    {
      name: 'systemdProxyConfig',
      enabledIf: '{{ ne .systemdProxyConfig "" }}',
      definitions: [
        { selector: controlPlane, jsonPatches: [appendFile(`${kubeadm}/files`, proxyPath, '.systemdProxyConfig')] },
        { selector: workers, jsonPatches: [appendFile(`${spec}/files`, proxyPath, '.systemdProxyConfig')] },
      ],
    },
  ],
};
