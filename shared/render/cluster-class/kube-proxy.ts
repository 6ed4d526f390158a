import { type NodeFile, nodeFile } from './node-file.ts';

/** Not below /run: Ignition writes before the running system puts its own file system there. */
const scriptPath = '/etc/kubernetes/configure-kube-proxy.sh';

/**
 * Lets kube-proxy's metrics be read from other nodes. Cluster API has no field for kube-proxy, so its configuration is added
 * to the file from which kubeadm makes the cluster: cloud-init's, else Ignition's. Nodes that join have no such file.
 */
const script = `#!/bin/sh
set -eu
for config in /run/kubeadm/kubeadm.yaml /etc/kubeadm.yml; do
  [ -f "$config" ] || continue
  grep -q '^kind: ClusterConfiguration' "$config" || continue
  if grep -q '^kind: KubeProxyConfiguration' "$config"; then continue; fi
  cat >>"$config" <<EOF
---
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
metricsBindAddress: 0.0.0.0:10249
EOF
done
`;

export const kubeProxyFile: NodeFile = nodeFile(scriptPath, '0755', script);

export const kubeProxyCommand = `sh ${scriptPath}`;
