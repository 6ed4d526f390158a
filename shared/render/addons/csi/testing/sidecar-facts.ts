/** A container of kubernetes-csi as upstream has it: it knows its driver's socket, and nothing of its node. */
export function sidecarFacts(image: string, socketAndMore: string, mounts: Readonly<Record<string, string>>) {
  return {
    image: `registry.k8s.io/sig-storage/${image}`,
    imagePullPolicy: 'IfNotPresent',
    run: `-v=2 --csi-address=${socketAndMore}`,
    env: {},
    mounts,
  };
}

/** The one that tells the kubelet of a driver, by the driver's socket on the node. */
export function registrarFacts(tag: string, nodeSocket: string, volume = 'socket-dir') {
  const socketAndMore = `/csi/csi.sock --kubelet-registration-path=${nodeSocket}`;
  const mounts = { '/csi': volume, '/registration': 'registration-dir' };
  const facts = sidecarFacts(`csi-node-driver-registrar:${tag}`, socketAndMore, mounts);
  return { ...facts, env: { KUBE_NODE_NAME: 'field spec.nodeName' } };
}
