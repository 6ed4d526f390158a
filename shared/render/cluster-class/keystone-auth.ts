import type { Feature, JsonPatch, Patch } from './feature.ts';
import { add, appendFixedArgument } from './json-patch.ts';
import { authorizationFile, reviewVersion } from './keystone-authorization.ts';
import { type NodeFile, nodeFile } from './node-file.ts';
import { apiServerArguments, kubeadm } from './paths.ts';
import { controlPlane } from './selectors.ts';
import { optionalSwitch } from './variable.ts';

/** Directory of webhook kubeconfigs, mounted into the API server. */
export const webhookDirectory = '/etc/kubernetes/webhooks';

const name = 'webhook';

/** The authenticator listens on the node's loopback only; its certificate is one of its own making. */
const webhookKubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name,
      cluster: { server: 'https://127.0.0.1:8443/webhook', 'insecure-skip-tls-verify': true },
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

/** Who is asked about tokens that nobody else knows. */
const authentication = {
  'authentication-token-webhook-config-file': webhookFile.path,
  'authentication-token-webhook-version': reviewVersion,
};

/** Before 1.30 the API server has no file for it; a machine that joins survives what `kubeadm init` would not (docs/adr/0017). */
const authorizationFlags = {
  'authorization-mode': 'Node,RBAC,Webhook',
  'authorization-webhook-config-file': webhookFile.path,
  'authorization-webhook-version': reviewVersion,
};

/** The authenticator itself is an add-on; its pods find the control plane by the label that the Cluster's topology sets. */
export const keystoneAuth: Feature = {
  variables: [optionalSwitch('enableKeystoneAuth', 'Whether the API server accepts tokens of Keystone.')],
  patches: [
    patch('keystoneAuth', '', flags(authentication)),
    patch('keystoneAuthorizationByFlags', '<1.30.0-0', flags(authorizationFlags)),
    patch('keystoneAuthorizationV1beta1', '>=1.30.0-0 <1.32.0-0', file('v1beta1')),
    patch('keystoneAuthorization', '>=1.32.0-0', file('v1')),
  ],
};

/** @param versions Of Kubernetes; `-0` counts pre-releases in. @default '' all */
function patch(patchName: string, versions: string, jsonPatches: readonly JsonPatch[]): Patch {
  const enabled = '.enableKeystoneAuth';
  const isOfVersion = `semverCompare "${versions}" .builtin.controlPlane.version`;
  return {
    name: patchName,
    enabledIf: versions === '' ? `{{ ${enabled} }}` : `{{ and ${enabled} (${isOfVersion}) }}`,
    definitions: [{ selector: controlPlane, jsonPatches }],
  };
}

function flags(values: Readonly<Record<string, string>>): JsonPatch[] {
  return Object.entries(values).map(([flag, value]) => appendFixedArgument(apiServerArguments, flag, value));
}

/** kubeadm leaves its own `--authorization-mode` out where this flag stands. */
function file(version: 'v1beta1' | 'v1'): JsonPatch[] {
  const authorization = authorizationFile({ version, directory: webhookDirectory, webhookConfig: webhookFile.path });
  return [add(`${kubeadm}/files/-`, authorization), ...flags({ 'authorization-config': authorization.path })];
}
