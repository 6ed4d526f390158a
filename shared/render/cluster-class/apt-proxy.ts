import type { Feature } from './feature.ts';
import { appendFile } from './json-patch.ts';
import { maximumFileLength } from './limits.ts';
import { kubeadm, spec } from './paths.ts';
import { controlPlane, workers } from './selectors.ts';
import { optionalText } from './variable.ts';

const path = '/etc/apt/apt.conf.d/90proxy';

export const aptProxy: Feature = {
  variables: [
    optionalText('aptProxyConfig', "apt's proxy settings, base64; used on Ubuntu and Debian.", maximumFileLength),
  ],
  patches: [
    {
      name: 'aptProxyConfig',
      enabledIf: '{{ and (has .operatingSystem (list "ubuntu" "debian")) (ne .aptProxyConfig "") }}',
      definitions: [
        { selector: controlPlane, jsonPatches: [appendFile(`${kubeadm}/files`, path, '.aptProxyConfig')] },
        { selector: workers, jsonPatches: [appendFile(`${spec}/files`, path, '.aptProxyConfig')] },
      ],
    },
  ],
};
