import { describe, expect, test } from 'vitest';
import { registrarFacts, sidecarFacts } from '../csi/testing/sidecar-facts.ts';
import { storageInput } from '../csi/testing/storage-input.ts';
import { linesIn } from '../testing/lines-in.ts';
import { find, identities } from '../testing/manifests.ts';
import { rulesIn, rulesOf } from '../testing/rules-of.ts';
import { ofControlPlanes } from '../testing/tolerations.ts';
import { containerFacts, selecting, volumeFacts, workloadFacts } from '../testing/workloads.ts';
import { nfsCsi } from './nfs-csi.ts';

const labels = {
  csi_provisioner_tag: 'v9.9.9',
  csi_node_driver_registrar_tag: 'v9.9.9',
  csi_liveness_probe_tag: 'v9.9.9',
};
const manifests = nfsCsi(storageInput({ labels }));

const linux = { 'kubernetes.io/os': 'linux' };
const inNodeNetwork = { hostNetwork: true, dnsPolicy: 'Default', nodeSelector: linux };
const inSocketDirectory = { '/csi': 'socket-dir' };
const securityContext = {
  privileged: true,
  capabilities: { add: ['SYS_ADMIN'] },
  allowPrivilegeEscalation: true,
};

function resources(memory: string) {
  return { limits: { memory }, requests: { cpu: '10m', memory: '20Mi' } };
}

function livenessSidecar(port: number) {
  return {
    ...sidecarFacts(
      'livenessprobe:v2.8.0',
      `/csi/csi.sock --probe-timeout=3s --health-port=${port}`,
      inSocketDirectory,
    ),
    resources: resources('100Mi'),
  };
}

function driver(port: number, memory: string) {
  return {
    image: 'registry.k8s.io/sig-storage/nfsplugin:v4.2.0',
    imagePullPolicy: 'IfNotPresent',
    run: '-v=5 --nodeid=$(NODE_ID) --endpoint=unix:///csi/csi.sock',
    env: { NODE_ID: 'field spec.nodeName' },
    mounts: { '/csi': 'socket-dir', '/var/lib/kubelet/pods': 'pods-mount-dir Bidirectional' },
    resources: resources(memory),
    securityContext,
    ports: [{ containerPort: port, name: 'healthz', protocol: 'TCP' }],
    livenessProbe: {
      failureThreshold: 5,
      httpGet: { path: '/healthz', port: 'healthz' },
      initialDelaySeconds: 30,
      timeoutSeconds: 10,
      periodSeconds: 30,
    },
  };
}

/**
 * kubernetes-csi/csi-driver-nfs, `deploy/v4.2.0/{csi-nfs-controller,csi-nfs-node,csi-nfs-driverinfo,rbac-csi-nfs}.yaml`.
 * Other than there: what an environment variable only hands to an argument stands in the argument; the controller does not
 * tolerate `node-role.kubernetes.io/controlplane`, which kubeadm never sets.
 */
describe('as upstream has it', () => {
  test('these objects come', () => {
    const objects = linesIn(`
        ServiceAccount kube-system/csi-nfs-controller-sa
        ServiceAccount kube-system/csi-nfs-node-sa
        ClusterRole nfs-external-provisioner-role
        ClusterRoleBinding nfs-csi-provisioner-binding
        CSIDriver nfs.csi.k8s.io
        Deployment kube-system/csi-nfs-controller
        DaemonSet kube-system/csi-nfs-node
      `);
    expect(identities(manifests)).toEqual(objects);
  });

  test('the driver needs no attaching and lets the kubelet set groups', () => {
    expect(find(manifests, 'CSIDriver', 'nfs.csi.k8s.io')).toEqual({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'nfs.csi.k8s.io' },
      spec: { attachRequired: false, fsGroupPolicy: 'File', volumeLifecycleModes: ['Persistent'] },
    });
  });

  test('the controller may this, and the nodes nothing', () => {
    expect(rulesOf(manifests, 'csi-nfs-node-sa')).toEqual([]);
    expect(rulesOf(manifests, 'csi-nfs-controller-sa')).toEqual(
      rulesIn(`
        /events: create get list patch update watch
        /nodes: get list watch
        /persistentvolumeclaims: get list update watch
        /persistentvolumes: create delete get list watch
        /secrets: get
        coordination.k8s.io/leases: create get list patch update watch
        storage.k8s.io/csinodes: get list watch
        storage.k8s.io/storageclasses: get list watch
      `),
    );
  });

  test('the controller is this Deployment', () => {
    expect(workloadFacts(manifests, 'Deployment', 'csi-nfs-controller')).toEqual({
      replicas: 1,
      ...selecting({ app: 'csi-nfs-controller' }),
      pod: {
        ...inNodeNetwork,
        serviceAccountName: 'csi-nfs-controller-sa',
        priorityClassName: 'system-cluster-critical',
        tolerations: ofControlPlanes,
      },
    });
    expect(volumeFacts(manifests, 'Deployment', 'csi-nfs-controller')).toEqual({
      'pods-mount-dir': '/var/lib/kubelet/pods Directory',
      'socket-dir': { emptyDir: {} },
    });
    expect(containerFacts(manifests, 'Deployment', 'csi-nfs-controller')).toEqual({
      'csi-provisioner': {
        ...sidecarFacts(
          'csi-provisioner:v3.3.0',
          '/csi/csi.sock --leader-election --leader-election-namespace=kube-system --extra-create-metadata=true',
          inSocketDirectory,
        ),
        resources: resources('400Mi'),
      },
      'liveness-probe': livenessSidecar(29652),
      nfs: driver(29652, '200Mi'),
    });
  });

  test('the nodes have this DaemonSet', () => {
    const nodeSocket = '/var/lib/kubelet/plugins/csi-nfsplugin/csi.sock';
    const registration = `--kubelet-registration-path=${nodeSocket}`;
    expect(workloadFacts(manifests, 'DaemonSet', 'csi-nfs-node')).toEqual({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      ...selecting({ app: 'csi-nfs-node' }),
      pod: { ...inNodeNetwork, serviceAccountName: 'csi-nfs-node-sa', tolerations: [{ operator: 'Exists' }] },
    });
    expect(volumeFacts(manifests, 'DaemonSet', 'csi-nfs-node')).toEqual({
      'socket-dir': '/var/lib/kubelet/plugins/csi-nfsplugin DirectoryOrCreate',
      'pods-mount-dir': '/var/lib/kubelet/pods Directory',
      'registration-dir': '/var/lib/kubelet/plugins_registry Directory',
    });
    expect(containerFacts(manifests, 'DaemonSet', 'csi-nfs-node')).toEqual({
      'node-driver-registrar': {
        ...registrarFacts('v2.6.2', nodeSocket),
        resources: resources('100Mi'),
        livenessProbe: {
          exec: { command: ['/csi-node-driver-registrar', registration, '--mode=kubelet-registration-probe'] },
          initialDelaySeconds: 30,
          timeoutSeconds: 15,
        },
      },
      'liveness-probe': livenessSidecar(29653),
      nfs: driver(29653, '300Mi'),
    });
  });
});
