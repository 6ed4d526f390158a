import { describe, expect, test } from 'vitest';
import { registrarFacts, sidecarFacts } from '../csi/testing/sidecar-facts.ts';
import { storageInput } from '../csi/testing/storage-input.ts';
import { linesIn } from '../testing/lines-in.ts';
import { find, identities } from '../testing/manifests.ts';
import { rulesIn, rulesOf } from '../testing/rules-of.ts';
import { ofControlPlanes } from '../testing/tolerations.ts';
import { containerFacts, imageTags, selecting, volumeFacts, workloadFacts } from '../testing/workloads.ts';
import { cinderCsi } from './cinder-csi.ts';

const input = storageInput();
const manifests = cinderCsi(input);

const controller = 'openstack-cinder-csi-controllerplugin';
const node = 'openstack-cinder-csi-nodeplugin';
const sockets = '/var/lib/csi/sockets/pluginproxy';
const plugin = '/var/lib/kubelet/plugins/cinder.csi.openstack.org';

function sidecar(name: string, tag: string, more = '') {
  return sidecarFacts(`${name}:${tag}`, `${sockets}/csi.sock${more}`, { [sockets]: 'socket-dir' });
}

const driver = {
  image: 'registry.k8s.io/provider-os/cinder-csi-plugin:v1.32.0',
  imagePullPolicy: 'IfNotPresent',
  env: {},
  ports: [{ containerPort: 9808, name: 'healthz', protocol: 'TCP' }],
  livenessProbe: {
    failureThreshold: 5,
    httpGet: { path: '/healthz', port: 'healthz' },
    initialDelaySeconds: 10,
    timeoutSeconds: 10,
    periodSeconds: 60,
  },
};
const cloudMounts = { '/etc/kubernetes': 'cloud-config read-only', '/etc/config': 'cloud-config read-only' };

/**
 * kubernetes/cloud-provider-openstack v1.32.0, chart `charts/cinder-csi-plugin` 2.32.0 as release `cinder-csi`, with the
 * values of original-facts §5.5. Other than there: what an environment variable only hands to an argument stands in the argument;
 * labels do not name Helm or a chart; control plane nodes are tolerated whatever the value of the taint.
 */
describe('as the chart has it', () => {
  test('these objects come, and what snapshots need', () => {
    expect(identities(manifests)).toEqual(
      linesIn(`
        ServiceAccount kube-system/csi-cinder-controller-sa
        ServiceAccount kube-system/csi-cinder-node-sa
        ClusterRole csi-attacher-role
        ClusterRoleBinding csi-attacher-binding
        ClusterRole csi-provisioner-role
        ClusterRoleBinding csi-provisioner-binding
        ClusterRole csi-snapshotter-role
        ClusterRoleBinding csi-snapshotter-binding
        ClusterRole csi-resizer-role
        ClusterRoleBinding csi-resizer-binding
        ClusterRole csi-nodeplugin-role
        ClusterRoleBinding csi-nodeplugin-binding
        CSIDriver cinder.csi.openstack.org
        Deployment kube-system/${controller}
        DaemonSet kube-system/${node}
        StorageClass block-ssd-fast
        StorageClass block-ssd
        CustomResourceDefinition volumesnapshots.snapshot.storage.k8s.io
        CustomResourceDefinition volumesnapshotcontents.snapshot.storage.k8s.io
        CustomResourceDefinition volumesnapshotclasses.snapshot.storage.k8s.io
        ServiceAccount kube-system/magnum-snapshot-controller
        ClusterRole magnum-snapshot-controller
        ClusterRoleBinding magnum-snapshot-controller
        Role kube-system/magnum-snapshot-controller
        RoleBinding kube-system/magnum-snapshot-controller
        Deployment kube-system/magnum-snapshot-controller
        VolumeSnapshotClass block-snapshot
      `),
    );
  });

  test('the driver is this', () => {
    expect(find(manifests, 'CSIDriver', 'cinder.csi.openstack.org')).toMatchObject({
      spec: { attachRequired: true, podInfoOnMount: true, volumeLifecycleModes: ['Persistent', 'Ephemeral'] },
    });
  });

  test.each([
    [
      'csi-attacher-role',
      `
        /persistentvolumes: get list patch watch
        coordination.k8s.io/leases: create delete get list update watch
        storage.k8s.io/csinodes: get list watch
        storage.k8s.io/volumeattachments/status: patch
        storage.k8s.io/volumeattachments: get list patch watch
      `,
    ],
    [
      'csi-provisioner-role',
      `
        /events: create list patch update watch
        /nodes: get list watch
        /persistentvolumeclaims: get list update watch
        /persistentvolumes: create delete get list patch watch
        coordination.k8s.io/leases: create delete get list update watch
        snapshot.storage.k8s.io/volumesnapshotcontents: get list
        snapshot.storage.k8s.io/volumesnapshots: get list
        storage.k8s.io/csinodes: get list watch
        storage.k8s.io/storageclasses: get list watch
      `,
    ],
    [
      'csi-snapshotter-role',
      `
        /events: create list patch update watch
        coordination.k8s.io/leases: create delete get list update watch
        snapshot.storage.k8s.io/volumesnapshotclasses: get list watch
        snapshot.storage.k8s.io/volumesnapshotcontents/status: patch update
        snapshot.storage.k8s.io/volumesnapshotcontents: create delete get list patch update watch
      `,
    ],
    [
      'csi-resizer-role',
      `
        /events: create list patch update watch
        /persistentvolumeclaims/status: patch
        /persistentvolumeclaims: get list watch
        /persistentvolumes: get list patch watch
        /pods: get list watch
        coordination.k8s.io/leases: create delete get list update watch
      `,
    ],
  ])("the controller's role %s allows this", (role, rules) => {
    const others = manifests.filter(
      ({ kind, metadata }) => kind !== 'ClusterRoleBinding' || metadata.name === role.replace(/role$/, 'binding'),
    );
    expect(rulesOf(others, 'csi-cinder-controller-sa')).toEqual(rulesIn(rules));
  });

  test('the nodes may this', () => {
    expect(rulesOf(manifests, 'csi-cinder-node-sa')).toEqual(rulesIn('/events: create get list patch update watch'));
  });

  test('the controller is this Deployment', () => {
    const selector = { component: 'controllerplugin', app: 'openstack-cinder-csi', release: 'cinder-csi' };
    expect(workloadFacts(manifests, 'Deployment', controller)).toEqual({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      ...selecting(selector),
      pod: { serviceAccountName: 'csi-cinder-controller-sa', tolerations: ofControlPlanes },
    });
    expect(volumeFacts(manifests, 'Deployment', controller)).toEqual({
      'socket-dir': { emptyDir: {} },
      'cloud-config': { secret: { secretName: 'cloud-config' } },
    });
    const leader = ' --leader-election=true';
    expect(containerFacts(manifests, 'Deployment', controller)).toEqual({
      'csi-attacher': sidecar('csi-attacher', 'v4.7.0', ` --timeout=3m${leader} --default-fstype=ext4`),
      'csi-provisioner': sidecar(
        'csi-provisioner',
        'v5.1.0',
        ` --timeout=3m${leader} --default-fstype=ext4 --feature-gates=Topology=true --extra-create-metadata`,
      ),
      'csi-snapshotter': sidecar('csi-snapshotter', 'v8.1.0', ` --timeout=3m${leader}`),
      'csi-resizer': sidecar('csi-resizer', 'v1.12.0', ` --timeout=3m --handle-volume-inuse-error=false${leader}`),
      'liveness-probe': sidecar('livenessprobe', 'v2.14.0'),
      'cinder-csi-plugin': {
        ...driver,
        run: [
          '/bin/cinder-csi-plugin -v=2 --endpoint=unix://csi/csi.sock --cloud-config=/etc/kubernetes/cloud.conf',
          `--cluster=${input.intent.uuid} --provide-node-service=false`,
        ].join(' '),
        mounts: { '/csi': 'socket-dir', ...cloudMounts },
      },
    });
  });

  test('the nodes have this DaemonSet', () => {
    const selector = { component: 'nodeplugin', app: 'openstack-cinder-csi', release: 'cinder-csi' };
    expect(workloadFacts(manifests, 'DaemonSet', node)).toEqual({
      ...selecting(selector),
      pod: {
        serviceAccountName: 'csi-cinder-node-sa',
        hostNetwork: true,
        dnsPolicy: 'ClusterFirstWithHostNet',
        tolerations: [{ operator: 'Exists' }],
      },
    });
    expect(volumeFacts(manifests, 'DaemonSet', node)).toEqual({
      'socket-dir': `${plugin} DirectoryOrCreate`,
      'registration-dir': '/var/lib/kubelet/plugins_registry/ Directory',
      'kubelet-dir': '/var/lib/kubelet Directory',
      'pods-probe-dir': '/dev Directory',
      'cloud-config': { secret: { secretName: 'cloud-config' } },
    });
    expect(containerFacts(manifests, 'DaemonSet', node)).toEqual({
      'node-driver-registrar': registrarFacts('v2.12.0', `${plugin}/csi.sock`),
      'liveness-probe': sidecarFacts('livenessprobe:v2.14.0', '/csi/csi.sock', { '/csi': 'socket-dir' }),
      'cinder-csi-plugin': {
        ...driver,
        run: [
          '/bin/cinder-csi-plugin -v=2 --endpoint=unix://csi/csi.sock --provide-controller-service=false',
          '--cloud-config=/etc/kubernetes/cloud.conf',
        ].join(' '),
        mounts: {
          '/csi': 'socket-dir',
          '/var/lib/kubelet': 'kubelet-dir Bidirectional',
          '/dev': 'pods-probe-dir HostToContainer',
          ...cloudMounts,
        },
        securityContext: {
          privileged: true,
          capabilities: { add: ['SYS_ADMIN'] },
          allowPrivilegeEscalation: true,
        },
      },
    });
  });

  test('labels name the tags', () => {
    const tags = cinderCsi(
      storageInput({
        labels: {
          cinder_csi_plugin_tag: 'v1',
          csi_attacher_tag: 'v2',
          csi_provisioner_tag: 'v3',
          csi_snapshotter_tag: 'v4',
          csi_resizer_tag: 'v5',
          csi_liveness_probe_tag: 'v6',
          csi_node_driver_registrar_tag: 'v7',
        },
      }),
    );
    const snapshots = ['Deployment', 'magnum-snapshot-controller'] as const;
    const images = imageTags(tags, ['Deployment', controller], ['DaemonSet', node], snapshots);
    expect(images).toEqual(['v2', 'v3', 'v4', 'v5', 'v6', 'v1', 'v7', 'v6', 'v1', 'v4']);
  });
});

describe('in a cloud whose volumes have a zone of their own', () => {
  const zoned = cinderCsi(storageInput({ labels: { cinder_csi_availability_zone: 'nova' } }));

  test('volumes are made there, and any node may use them', () => {
    expect(find(zoned, 'StorageClass', 'block-ssd')).toMatchObject({
      parameters: { type: 'ssd', availability: 'nova' },
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    expect(find(zoned, 'ConfigMap', 'cinder-csi-zones')).toMatchObject({
      metadata: { namespace: 'kube-system' },
      data: { 'zones.conf': '[BlockStorage]\nignore-volume-az=true\n' },
    });
  });

  test('the controller reads that file beside cloud.conf, and the nodes need not', () => {
    const { 'cinder-csi-plugin': plugged } = containerFacts(zoned, 'Deployment', controller);
    expect(plugged?.run).toContain(
      ' --cloud-config=/etc/kubernetes/cloud.conf --cloud-config=/etc/cinder-csi/zones.conf ',
    );
    expect(plugged?.mounts).toMatchObject({ '/etc/cinder-csi': 'zones read-only' });
    expect(volumeFacts(zoned, 'Deployment', controller)).toMatchObject({
      zones: { configMap: { name: 'cinder-csi-zones' } },
    });
    expect(find(zoned, 'DaemonSet', node)).toEqual(find(manifests, 'DaemonSet', node));
  });

  test('the zone of the nodes is none of theirs', () => {
    const nodes = cinderCsi(storageInput({ labels: { availability_zone: 'az1' } }));
    expect(find(nodes, 'StorageClass', 'block-ssd')).toEqual(find(manifests, 'StorageClass', 'block-ssd'));
  });
});
