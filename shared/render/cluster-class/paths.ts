/** Spec of what a template makes, in each of the four templates. */
export const spec = '/spec/template/spec';

/** The control plane's KubeadmConfigSpec; a worker's is `spec` itself. */
export const kubeadm = `${spec}/kubeadmConfigSpec`;

export const apiServer = `${kubeadm}/clusterConfiguration/apiServer`;

/** Lists of `{name, value}`, one for each way in which kubeadm starts a kubelet. */
export const kubeletArguments = {
  init: `${kubeadm}/initConfiguration/nodeRegistration/kubeletExtraArgs`,
  join: `${kubeadm}/joinConfiguration/nodeRegistration/kubeletExtraArgs`,
  worker: `${spec}/joinConfiguration/nodeRegistration/kubeletExtraArgs`,
} as const;

/** List of `{name, value}`. */
export const apiServerArguments = `${apiServer}/extraArgs`;
