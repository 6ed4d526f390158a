import type { Feature } from './feature.ts';
import { add } from './json-patch.ts';
import { keystoneAuthScript } from './keystone-auth-script.ts';
import { type NodeFile, nodeFile } from './node-file.ts';
import { kubeadm } from './paths.ts';
import { controlPlane } from './selectors.ts';
import { optionalSwitch } from './variable.ts';

const kubernetes = '/etc/kubernetes';

/** Directory of webhook kubeconfigs, mounted into the API server. */
export const webhookDirectory = `${kubernetes}/webhooks`;

/** Where the authenticator listens, on the node's loopback only. */
const port = 8443;
const name = 'webhook';

/** The authenticator's certificate is one of its own making. */
const webhookKubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name,
      cluster: { server: `https://127.0.0.1:${port}/webhook`, 'insecure-skip-tls-verify': true },
    },
  ],
  users: [{ name, user: {} }],
  contexts: [{ name, context: { cluster: name, user: name } }],
  'current-context': name,
};

/** Kubeconfig by which the API server reaches the authenticator. JSON is YAML. */
export const webhookFile: NodeFile = nodeFile(
  `${webhookDirectory}/webhookconfig.yaml`,
  '0644',
  JSON.stringify(webhookKubeconfig),
);

const scriptFile = nodeFile(
  `${kubernetes}/enable-keystone-auth.sh`,
  '0755',
  keystoneAuthScript({ port, webhookConfig: webhookFile.path, kubernetes }),
);

const unitName = 'keystone-auth.service';

/** A unit rather than a command: the authenticator comes minutes after kubeadm, and a node may restart meanwhile. */
const unitFile = nodeFile(
  `/etc/systemd/system/${unitName}`,
  '0644',
  `[Unit]
Description=Let the Kubernetes API server ask Keystone
After=kubelet.service

[Service]
ExecStart=/bin/bash ${scriptFile.path}

[Install]
WantedBy=multi-user.target
`,
);

/** The authenticator itself is an add-on; its pods find the control plane by the label that the Cluster's topology sets. */
export const keystoneAuth: Feature = {
  variables: [optionalSwitch('enableKeystoneAuth', 'Whether the API server accepts tokens of Keystone.')],
  patches: [
    {
      name: 'keystoneAuth',
      enabledIf: '{{ .enableKeystoneAuth }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [
            add(`${kubeadm}/files/-`, scriptFile),
            add(`${kubeadm}/files/-`, unitFile),
            add(`${kubeadm}/postKubeadmCommands`, [
              `systemctl daemon-reload && systemctl enable --now --no-block ${unitName}`,
            ]),
          ],
        },
      ],
    },
  ],
};
