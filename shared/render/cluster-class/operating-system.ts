import type { Feature } from './feature.ts';
import { add } from './json-patch.ts';
import { kubeadm, spec } from './paths.ts';
import { controlPlane, workers } from './selectors.ts';
import { required } from './variable.ts';

/** Stands for the node's name in kubeadm's file until the machine knows its own; Ignition has no templates as cloud-init has. */
const nodeNameToken = '__REPLACE_NODE_NAME__';

/** The server's name as Nova has it, else the host name, in both cases without domain. */
const replaceNodeName = [
  `node_name="\${COREOS_OPENSTACK_HOSTNAME:-$(uname -n)}"`,
  `sed -i "s/${nodeNameToken}/\${node_name%%.*}/g" /etc/kubeadm.yml`,
].join('\n');

/**
 * kubeadm waits for containerd, the metadata and the extra volumes, but only wants them: it restarts containerd itself, and a
 * unit that requires containerd would be restarted along with it.
 */
const kubeadmDropIn = `[Unit]
Wants=containerd.service coreos-metadata.service
After=containerd.service coreos-metadata.service
RequiresMountsFor=/var/lib/containerd /var/lib/etcd

[Service]
EnvironmentFile=-/run/metadata/flatcar
`;

const containerLinuxConfig = {
  systemd: {
    units: [
      { name: 'coreos-metadata-sshkeys@.service', enabled: true },
      {
        name: 'kubeadm.service',
        enabled: true,
        dropins: [{ name: '10-flatcar.conf', contents: kubeadmDropIn }],
      },
    ],
  },
};

export const operatingSystem: Feature = {
  variables: [
    required('operatingSystem', {
      type: 'string',
      description: 'Operating system of the image.',
      enum: ['ubuntu', 'debian', 'flatcar', 'rockylinux'],
    }),
  ],
  patches: [
    {
      name: 'flatcar',
      enabledIf: '{{ eq .operatingSystem "flatcar" }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [
            ...ignition(kubeadm),
            add(`${kubeadm}/initConfiguration/nodeRegistration/name`, nodeNameToken),
            add(`${kubeadm}/joinConfiguration/nodeRegistration/name`, nodeNameToken),
          ],
        },
        {
          selector: workers,
          jsonPatches: [...ignition(spec), add(`${spec}/joinConfiguration/nodeRegistration/name`, nodeNameToken)],
        },
      ],
    },
  ],
};

/** The configuration is read as YAML, which JSON is. */
function ignition(root: string) {
  return [
    add(`${root}/preKubeadmCommands/-`, replaceNodeName),
    add(`${root}/format`, 'ignition'),
    add(`${root}/ignition`, { containerLinuxConfig: { additionalConfig: JSON.stringify(containerLinuxConfig) } }),
  ];
}
