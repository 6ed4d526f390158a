import { base64 } from '../base64.ts';
import type { Feature } from './feature.ts';
import { appendFixedArgument } from './json-patch.ts';
import { apiServerArguments } from './paths.ts';
import { controlPlane } from './selectors.ts';
import { optionalSwitch } from './variable.ts';

/** Directory of webhook kubeconfigs, mounted into the API server. */
export const webhookDirectory = '/etc/kubernetes/webhooks';

/** The authenticator listens on the node's loopback only, with a certificate of its own making. */
const webhookServer = 'https://127.0.0.1:8443/webhook';
const name = 'webhook';

const webhookKubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name, cluster: { server: webhookServer, 'insecure-skip-tls-verify': true } }],
  users: [{ name, user: {} }],
  contexts: [{ name, context: { cluster: name, user: name } }],
  'current-context': name,
};

/** Kubeconfig by which the API server reaches the authenticator. JSON is YAML. */
export const webhookFile = {
  path: `${webhookDirectory}/webhookconfig.yaml`,
  owner: 'root:root',
  permissions: '0644',
  encoding: 'base64',
  content: base64(JSON.stringify(webhookKubeconfig)),
} as const;

/**
 * The flags stand in kubeadm's own configuration, as one authorization mode after Node and RBAC. While the webhook does not
 * answer, tokens of Keystone are refused and everything else works, so the API server may start before it (ADR 0005).
 */
export const keystoneAuth: Feature = {
  variables: [optionalSwitch('enableKeystoneAuth', 'Whether Keystone tokens are accepted by the API server.')],
  patches: [
    {
      name: 'keystoneAuth',
      enabledIf: '{{ .enableKeystoneAuth }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [
            appendFixedArgument(apiServerArguments, 'authorization-mode', 'Node,RBAC,Webhook'),
            appendFixedArgument(apiServerArguments, 'authentication-token-webhook-config-file', webhookFile.path),
            appendFixedArgument(apiServerArguments, 'authorization-webhook-config-file', webhookFile.path),
          ],
        },
      ],
    },
  ],
};
