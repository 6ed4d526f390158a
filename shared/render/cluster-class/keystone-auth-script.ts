interface ScriptOptions {
  /** Where the authenticator listens, on the node's loopback only. */
  readonly port: number;
  /** Kubeconfig by which the API server reaches the authenticator. */
  readonly webhookConfig: string;
  /** Directory of kubeadm's files. */
  readonly kubernetes: string;
}

/**
 * Bash that turns the API server over to the authenticator, once that listens. Before, the API server would answer whatever
 * RBAC does not allow with 500 instead of 403, which `kubeadm init` does not survive. The mode is one flag, which a second
 * run finds already changed; an API server that does not come back gets its old manifest again (user-reports E27).
 */
export function keystoneAuthScript({ port, webhookConfig, kubernetes }: ScriptOptions): string {
  return `#!/bin/bash
set -euo pipefail
PATH=$PATH:/usr/local/bin:/opt/bin
manifest=${kubernetes}/manifests/kube-apiserver.yaml
previous=${kubernetes}/kube-apiserver.before-keystone-auth.yaml
next=${kubernetes}/kube-apiserver.with-keystone-auth.yaml

authenticator_listens() {
  (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null
}

api_server_ready() {
  kubectl --kubeconfig ${kubernetes}/admin.conf --server https://127.0.0.1:6443 --tls-server-name kubernetes \\
    --request-timeout 5s get --raw /readyz >/dev/null 2>&1
}

# The bracket keeps the search from finding itself.
new_api_server_runs() {
  grep -qs -- '--authorization-webhook-config-fil[e]=' /proc/[0-9]*/cmdline
}

until [ -s "$manifest" ]; do sleep 5; done
if grep -q -- '--authorization-webhook-config-file=' "$manifest"; then exit 0; fi
until authenticator_listens && api_server_ready; do sleep 5; done

sed -e 's|^\\( *- \\)--authorization-mode=.*|&,Webhook\\n\\1--authentication-token-webhook-config-file=${webhookConfig}\\n\\1--authorization-webhook-config-file=${webhookConfig}|' "$manifest" >"$next"
grep -q -- '--authorization-webhook-config-file=' "$next"
chmod 600 "$next"
cp -p "$manifest" "$previous"
mv -f "$next" "$manifest"

for _ in $(seq 60); do
  sleep 5
  if new_api_server_runs && api_server_ready; then exit 0; fi
done
echo 'The API server does not become ready with the authenticator: its old manifest is put back.' >&2
mv -f "$previous" "$manifest"
exit 1
`;
}
