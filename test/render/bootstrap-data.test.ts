import { load } from 'js-yaml';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import type { OperatingSystem } from '../../shared/magnum/cluster-intent.ts';
import { certificateSecrets } from '../../shared/render/secrets.ts';
import { readBootstrapData } from '../cloud/workload/bootstrap-data.ts';
import { type ClusterCertificates, makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { bootstrapData } from './bootstrap-data.ts';
import { exampleIntent } from './example-intent.ts';
import { useTopologyController } from './topology-stage.ts';

const controller = useTopologyController();
const data = new Map<OperatingSystem, string>();
let certificates: ClusterCertificates;

beforeAll(async () => {
  certificates = await makeClusterCertificates('bootstrap');
  const systems: readonly OperatingSystem[] = ['ubuntu', 'flatcar'];
  const stackIds = await controller.reconcile(
    systems.map((operatingSystem) => ({
      intent: {
        operatingSystem,
        etcdVolume: { size: 10, type: 'fast' },
        dockerVolume: { size: 20, type: 'fast' },
        kubelet: { ...exampleIntent().kubelet, servingCertVerification: true },
      },
    })),
  );
  for (const [index, system] of systems.entries()) {
    const stackId = stackIds[index] ?? '';
    for (const secret of certificateSecrets(stackId, certificates))
      await controller.client.apply(resources.secret, secret);
    const access = { client: controller.client, kubeconfigPath: inject('kubeconfigPath') };
    data.set(system, await bootstrapData(access, stackId));
  }
}, 300_000);

const cloudConfig = z.object({
  runcmd: z.array(z.string()),
  disk_setup: z.unknown(),
  fs_setup: z.array(z.looseObject({ device: z.string(), label: z.string() })),
  mounts: z.array(z.array(z.string())),
});
const ignitionConfig = z.object({
  storage: z.object({
    filesystems: z.array(z.object({ mount: z.looseObject({ device: z.string(), label: z.string() }) })),
  }),
  systemd: z.object({ units: z.array(z.looseObject({ name: z.string(), contents: z.string().optional() })) }),
});

describe('on Ubuntu the first control plane machine', () => {
  const read = () => cloudConfig.parse(load(data.get('ubuntu') ?? ''));
  const file = (path: string) =>
    readBootstrapData(data.get('ubuntu') ?? '')
      .files.get(path)
      ?.trim();

  test("signs with Magnum's authorities", () => {
    expect(file('/etc/kubernetes/pki/ca.crt')).toBe(certificates.ca.certificate.trim());
    expect(file('/etc/kubernetes/pki/ca.key')).toBe(certificates.ca.private_key.trim());
    expect(file('/etc/kubernetes/pki/etcd/ca.crt')).toBe(certificates.etcd.certificate.trim());
    expect(file('/etc/kubernetes/pki/front-proxy-ca.crt')).toBe(certificates.front_proxy.certificate.trim());
    expect(file('/etc/kubernetes/pki/sa.key')).toBe(certificates.sa.private_key.trim());
  });

  test('prepares itself, then runs kubeadm', () => {
    expect(read().runcmd).toEqual([
      'rm -rf /var/lib/etcd/lost+found',
      'systemctl daemon-reload && systemctl restart containerd',
      'sh /etc/kubernetes/configure-kube-proxy.sh',
      expect.stringMatching(/^kubeadm init /),
    ]);
  });

  test('formats and mounts both volumes', () => {
    expect(read().disk_setup).toEqual({
      '/dev/vdb': { table_type: 'gpt', layout: true, overwrite: false },
      '/dev/vdc': { table_type: 'gpt', layout: true, overwrite: false },
    });
    expect(read().fs_setup.map(({ device, label }) => [device, label])).toEqual([
      ['/dev/vdb', 'etcd_disk'],
      ['/dev/vdc', 'docker_disk'],
    ]);
    expect(read().mounts).toEqual([
      ['LABEL=etcd_disk', '/var/lib/etcd'],
      ['LABEL=docker_disk', '/var/lib/containerd'],
    ]);
  });

  test('has a kubeadm configuration that the script for kube-proxy recognises', () => {
    expect(file('/run/kubeadm/kubeadm.yaml')).toMatch(/^kind: ClusterConfiguration$/m);
    expect(file('/etc/kubernetes/configure-kube-proxy.sh')).toContain('/run/kubeadm/kubeadm.yaml');
  });

  test('lets kubeadm patch the kubelet', () => {
    expect(file('/run/kubeadm/kubeadm.yaml')).toMatch(/directory: \/etc\/kubernetes\/patches$/m);
    expect(JSON.parse(file('/etc/kubernetes/patches/kubeletconfiguration0+merge.json') ?? '')).toMatchObject({
      serverTLSBootstrap: true,
    });
  });
});

describe('on Flatcar the first control plane machine', () => {
  const read = () => ignitionConfig.parse(JSON.parse(data.get('flatcar') ?? ''));
  const file = (path: string) => readBootstrapData(data.get('flatcar') ?? '').files.get(path) ?? '';

  test('names its node before kubeadm runs', () => {
    const script = file('/etc/kubeadm.sh');
    const positions = ['restart containerd', '__REPLACE_NODE_NAME__', 'kubeadm init'].map((part) =>
      script.indexOf(part),
    );
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(file('/etc/kubeadm.yml')).toContain('name: __REPLACE_NODE_NAME__');
  });

  test('formats and mounts both volumes', () => {
    expect(read().storage.filesystems.map(({ mount }) => [mount.device, mount.label])).toEqual([
      ['/dev/vdb', 'etcd_disk'],
      ['/dev/vdc', 'docker_disk'],
    ]);
    const units = new Map(read().systemd.units.map(({ name, contents }) => [name, contents]));
    expect(units.get('var-lib-etcd.mount')).toMatch(/What=\/dev\/vdb\nWhere=\/var\/lib\/etcd\n/);
    expect(units.get('var-lib-containerd.mount')).toMatch(/What=\/dev\/vdc\nWhere=\/var\/lib\/containerd\n/);
  });

  test('waits for volumes, but is not stopped when it restarts containerd', () => {
    const dropIns = read().systemd.units.flatMap(({ dropins }) => dropins ?? []);
    expect(dropIns).toEqual([expect.objectContaining({ contents: expect.stringContaining('RequiresMountsFor=') })]);
    expect(JSON.stringify(dropIns)).not.toContain('Requires=containerd');
  });

  test('has a kubeadm configuration that the script for kube-proxy recognises', () => {
    expect(file('/etc/kubeadm.yml')).toMatch(/^kind: ClusterConfiguration$/m);
    expect(file('/etc/kubernetes/configure-kube-proxy.sh')).toContain('/etc/kubeadm.yml');
  });
});
