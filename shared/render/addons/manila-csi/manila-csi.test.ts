import { describe, expect, test } from 'vitest';
import type { AddonInput } from '../addon.ts';
import { registrarFacts, sidecarFacts } from '../csi/testing/sidecar-facts.ts';
import { storageInput } from '../csi/testing/storage-input.ts';
import { linesIn } from '../testing/lines-in.ts';
import { find, identities } from '../testing/manifests.ts';
import { rulesIn, rulesOf } from '../testing/rules-of.ts';
import { ofControlPlanes } from '../testing/tolerations.ts';
import { containerFacts, imageTags, selecting, volumeFacts, workloadFacts } from '../testing/workloads.ts';
import { manilaCsi } from './manila-csi.ts';

const shareNetwork = '9b5b8a2c-1d2e-4f30-8a4b-5c6d7e8f9a0b';
const labels = { manila_csi_share_network_id: shareNetwork };
const manifests = manilaCsi(storageInput({ labels }));

const controller = 'manila-csi-openstack-manila-csi-controllerplugin';
const node = 'manila-csi-openstack-manila-csi-nodeplugin';
const pluginDirectory = '/var/lib/kubelet/plugins/nfs.manila.csi.openstack.org';
const nfsDirectory = '/var/lib/kubelet/plugins/csi-nfsplugin';

function driver(socket: string, mounts: object = {}) {
  return {
    image: 'registry.k8s.io/provider-os/manila-csi-plugin:v1.32.0',
    imagePullPolicy: 'IfNotPresent',
    run: [
      '/bin/manila-csi-plugin -v=2',
      `--endpoint=unix://${pluginDirectory}/${socket}`,
      '--drivername=nfs.manila.csi.openstack.org',
      '--share-protocol-selector=NFS',
      `--fwdendpoint=unix://${nfsDirectory}/csi.sock`,
    ].join(' '),
    env: {},
    mounts: {
      [pluginDirectory]: 'nfs-plugin-dir',
      [nfsDirectory]: 'nfs-fwd-plugin-dir',
      '/etc/config': 'cloud-config read-only',
      ...mounts,
    },
    securityContext: {
      privileged: true,
      capabilities: { add: ['SYS_ADMIN'] },
      allowPrivilegeEscalation: true,
    },
  };
}

function sidecar(name: string, tag: string, more = '') {
  const socketAndMore = `unix://${pluginDirectory}/csi-controllerplugin.sock${more}`;
  return sidecarFacts(`${name}:${tag}`, socketAndMore, { [pluginDirectory]: 'nfs-plugin-dir' });
}

const authority = { secret: { secretName: 'cloud-config', items: [{ key: 'ca.crt', path: 'ca.crt' }] } };

/**
 * kubernetes/cloud-provider-openstack v1.32.0, chart `charts/manila-csi-plugin` 2.32.0 as release `manila-csi`, with the values
 * and patches of original-facts §5.1 and §5.5. Other than there: the nodes mount the cloud's authority too, since the driver
 * asks Manila from there when it mounts (`pkg/csi/manila/nodeserver.go`); no shell starts the driver, and what an
 * environment variable only hands to an argument stands in the argument; the ClusterRoles have their rules themselves; the
 * empty `--cluster-id` is left out; labels do not name Helm or a chart, and stand on workloads only; control plane nodes are
 * tolerated whatever the value of the taint.
 */
describe('as the chart has it', () => {
  test('these objects come', () => {
    expect(identities(manifests)).toEqual(
      linesIn(`
        ServiceAccount kube-system/${controller}
        ClusterRole ${controller}
        ClusterRoleBinding ${controller}
        ServiceAccount kube-system/${node}
        ClusterRole ${node}
        ClusterRoleBinding ${node}
        Role kube-system/${controller}
        RoleBinding kube-system/${controller}
        CSIDriver nfs.manila.csi.openstack.org
        Service kube-system/${controller}
        StatefulSet kube-system/${controller}
        DaemonSet kube-system/${node}
        Secret kube-system/csi-manila-secrets
        StorageClass share-gold
        VolumeSnapshotClass share-snapshot
      `),
    );
  });

  test('the driver needs no attaching and leaves groups alone', () => {
    expect(find(manifests, 'CSIDriver', 'nfs.manila.csi.openstack.org')).toMatchObject({
      spec: { attachRequired: false, podInfoOnMount: false, fsGroupPolicy: 'None' },
    });
  });

  test('the controller may this', () => {
    expect(rulesOf(manifests, controller)).toEqual(
      rulesIn(`
        /events: create list patch update watch
        /nodes: get list watch
        /persistentvolumeclaims/status: patch
        /persistentvolumeclaims: get list update watch
        /persistentvolumes: create delete get list patch watch
        /secrets: get list
        snapshot.storage.k8s.io/volumesnapshotclasses: get list watch
        snapshot.storage.k8s.io/volumesnapshotcontents/status: patch update
        snapshot.storage.k8s.io/volumesnapshotcontents: create delete get list patch update watch
        snapshot.storage.k8s.io/volumesnapshots: get list
        storage.k8s.io/csinodes: get list watch
        storage.k8s.io/storageclasses: get list watch
      `),
    );
    expect(rulesOf(manifests, controller, 'Role')).toEqual(
      rulesIn(`
        /configmaps: create delete get list watch
        /endpoints: create delete get list update watch
      `),
    );
  });

  test('the nodes may this', () => {
    expect(rulesOf(manifests, node)).toEqual(
      rulesIn(`
        /configmaps: get list
        /namespaces: get list
        /nodes: get list update
        /persistentvolumes: get list update watch
      `),
    );
  });

  test('the controller is this StatefulSet', () => {
    const selector = { component: 'controllerplugin', app: 'openstack-manila-csi', release: 'manila-csi' };
    expect(workloadFacts(manifests, 'StatefulSet', controller)).toEqual({
      serviceName: controller,
      replicas: 1,
      ...selecting(selector),
      pod: { serviceAccountName: controller, tolerations: ofControlPlanes },
    });
    expect(find(manifests, 'Service', controller)).toMatchObject({
      spec: { selector, ports: [{ name: 'dummy', port: 12345 }] },
    });
    expect(volumeFacts(manifests, 'StatefulSet', controller)).toEqual({
      'nfs-plugin-dir': `${pluginDirectory} DirectoryOrCreate`,
      'nfs-fwd-plugin-dir': `${nfsDirectory} Directory`,
      'pod-mounts': '/var/lib/kubelet/pods Directory',
      'cloud-config': authority,
    });
    expect(containerFacts(manifests, 'StatefulSet', controller)).toEqual({
      'nfs-provisioner': sidecar('csi-provisioner', 'v5.1.0'),
      'nfs-snapshotter': sidecar('csi-snapshotter', 'v8.1.0'),
      'nfs-resizer': sidecar('csi-resizer', 'v1.12.0', ' --handle-volume-inuse-error=false'),
      'nfs-nodeplugin': driver('csi-controllerplugin.sock', { '/var/lib/kubelet/pods': 'pod-mounts Bidirectional' }),
    });
  });

  test('the nodes have this DaemonSet', () => {
    const selector = { component: 'nodeplugin', app: 'openstack-manila-csi', release: 'manila-csi' };
    expect(workloadFacts(manifests, 'DaemonSet', node)).toEqual({
      ...selecting(selector),
      pod: {
        serviceAccountName: node,
        hostNetwork: true,
        dnsPolicy: 'ClusterFirstWithHostNet',
        tolerations: [{ operator: 'Exists' }],
      },
    });
    expect(volumeFacts(manifests, 'DaemonSet', node)).toEqual({
      'registration-dir': '/var/lib/kubelet/plugins_registry Directory',
      'nfs-plugin-dir': `${pluginDirectory} DirectoryOrCreate`,
      'nfs-fwd-plugin-dir': `${nfsDirectory} DirectoryOrCreate`,
      'cloud-config': authority,
    });
    expect(containerFacts(manifests, 'DaemonSet', node)).toEqual({
      'nfs-registrar': registrarFacts('v2.12.0', `${pluginDirectory}/csi.sock`, 'nfs-plugin-dir'),
      'nfs-nodeplugin': driver('csi.sock'),
    });
  });

  test('labels name the tags', () => {
    const tagLabels = {
      manila_csi_plugin_tag: 'v1',
      csi_provisioner_tag: 'v2',
      csi_snapshotter_tag: 'v3',
      csi_resizer_tag: 'v4',
      csi_node_driver_registrar_tag: 'v5',
    };
    const tags = manilaCsi(storageInput({ labels: tagLabels }));
    const images = imageTags(tags, ['StatefulSet', controller], ['DaemonSet', node]);
    expect(images).toEqual(['v2', 'v3', 'v4', 'v1', 'v5', 'v1']);
  });
});

describe('its Secret', () => {
  function secretOf(access: Partial<AddonInput['access']>) {
    const changed = manilaCsi(storageInput({ access }));
    const { data } = find<{ data: Record<string, string> }>(changed, 'Secret', 'csi-manila-secrets');
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  }

  test('has the keys that the driver reads (`pkg/client/client.go`)', () => {
    expect(secretOf({})).toEqual({
      'os-authURL': 'https://keystone.example.com:5000/v3',
      'os-region': 'RegionOne',
      'os-applicationCredentialID': 'c0ffee',
      'os-applicationCredentialSecret': 'very-secret_1',
      'os-TLSInsecure': 'false',
      'os-certAuthorityPath': '/etc/config/ca.crt',
    });
  });

  test('names no authority where the cloud has none of its own, and says where certificates are not checked', () => {
    const secret = secretOf({ caCertificate: '', verify: false });
    expect(secret).not.toHaveProperty('os-certAuthorityPath');
    expect(secret['os-TLSInsecure']).toBe('true');
  });
});

describe('classes', () => {
  const secretFields = (...calls: readonly string[]) =>
    Object.fromEntries(
      calls.flatMap((call) => [
        [`csi.storage.k8s.io/${call}-secret-name`, 'csi-manila-secrets'],
        [`csi.storage.k8s.io/${call}-secret-namespace`, 'kube-system'],
      ]),
    );

  test('of shares are the ones of the original driver', () => {
    expect(find(manifests, 'StorageClass', 'share-gold')).toEqual({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'share-gold', annotations: { 'storageclass.kubernetes.io/is-default-class': 'false' } },
      provisioner: 'nfs.manila.csi.openstack.org',
      parameters: {
        type: 'gold',
        shareNetworkID: shareNetwork,
        ...secretFields('provisioner', 'controller-expand', 'node-stage', 'node-publish'),
      },
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      allowVolumeExpansion: true,
    });
  });

  test.each([
    ['without a share network', {}, ['gold']],
    ['without share types', labels, []],
  ])('of shares do not come %s', (_what, given, shareTypes) => {
    const without = manilaCsi(storageInput({ labels: given, services: { shareTypes } }));
    expect(without.filter(({ kind }) => kind === 'StorageClass')).toEqual([]);
  });

  test('of share types with strange names come beside each other', () => {
    const shareTypes = ['高速', 'Gold!', 'gold', 'GOLD', 'gold'];
    const names = manilaCsi(storageInput({ labels, services: { shareTypes } }))
      .filter(({ kind }) => kind === 'StorageClass')
      .map(({ metadata }) => metadata.name);
    expect(names.toSorted()).toEqual([
      'share-gold',
      expect.stringMatching(/^share-gold\.\w{8}$/),
      expect.stringMatching(/^share-gold\.\w{8}$/),
      expect.stringMatching(/^share\.\w{8}$/),
    ]);
  });

  test('of snapshots let Manila take them', () => {
    expect(find(manifests, 'VolumeSnapshotClass', 'share-snapshot')).toEqual({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshotClass',
      metadata: { name: 'share-snapshot' },
      driver: 'nfs.manila.csi.openstack.org',
      deletionPolicy: 'Delete',
      parameters: secretFields('snapshotter'),
    });
  });
});

test.each([
  ['a cloud without Cinder', storageInput({ services: { volumeTypes: null } })],
  ['a cluster that does not want it', storageInput({ labels: { cinder_csi_enabled: 'false' } })],
])('brings what snapshots need for %s, since Cinder CSI does not', (_what, input) => {
  expect(identities(manilaCsi(input))).toContain('Deployment kube-system/magnum-snapshot-controller');
});
