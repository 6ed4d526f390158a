import { load } from 'js-yaml';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import type { OperatingSystem } from '../../shared/magnum/cluster-intent.ts';
import { supportedMinors } from '../../shared/render/addons/supported-version.ts';
import { certificateSecrets } from '../../shared/render/secrets.ts';
import { kubeadmVersions } from '../env/parts.ts';
import { type ClusterCertificates, makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { bootstrapData } from './bootstrap-data.ts';
import { exampleIntent } from './example-intent.ts';
import { apiServerCommand, type KubeadmVersion, machineConfiguration, validateConfiguration } from './kubeadm.ts';
import { type MachineData, readMachineData } from './machine-data.ts';
import { useTopologyController } from './topology-stage.ts';

const systems: readonly OperatingSystem[] = ['ubuntu', 'debian', 'rockylinux', 'flatcar'];
const machines = systems.flatMap((system) => kubeadmVersions.map((version) => [system, version] as const));
const [oldest, newest] = kubeadmVersions;

const controller = useTopologyController();
const data = new Map<string, string>();
let certificates: ClusterCertificates;

/** As much as one cluster can ask for. */
const everything = {
  etcdVolume: { size: 10, type: 'fast' },
  dockerVolume: { size: 20, type: 'fast' },
  apiServer: {
    ...exampleIntent().apiServer,
    certSans: ['api.example.com'],
    auditLog: { maxAge: '7', maxBackup: '3', maxSize: '50' },
    oidc: {
      issuerUrl: 'https://id.example.com/',
      clientId: 'magnum',
      usernameClaim: 'sub',
      usernamePrefix: '-',
      groupsClaim: 'groups',
      groupsPrefix: 'oidc:',
    },
  },
  kubelet: { ...exampleIntent().kubelet, servingCertVerification: true },
};

beforeAll(async () => {
  certificates = await makeClusterCertificates('bootstrap');
  const intents = machines.map(([operatingSystem, version]) => {
    return { intent: { ...everything, operatingSystem, kubernetesVersion: `v${version}` } };
  });
  const stackIds = await controller.reconcile(intents);
  const access = { client: controller.client, kubeconfigPath: inject('kubeconfigPath') };
  await Promise.all(
    machines.map(async (machine, index) => {
      const stackId = stackIds[index] ?? '';
      for (const secret of certificateSecrets(stackId, certificates)) {
        await controller.client.apply(resources.secret, secret);
      }
      data.set(machine.join(), await bootstrapData(access, stackId));
    }),
  );
}, 600_000);

const textOf = (system: OperatingSystem, version: KubeadmVersion) => data.get([system, version].join()) ?? '';
const read = (system: OperatingSystem, version: KubeadmVersion): MachineData =>
  readMachineData(textOf(system, version));

/** Permissions of what the first machine gets beside kubeadm's own file. */
const permissions = {
  '/etc/kubernetes/pki/ca.crt': '0640',
  '/etc/kubernetes/pki/ca.key': '0600',
  '/etc/kubernetes/pki/etcd/ca.crt': '0640',
  '/etc/kubernetes/pki/etcd/ca.key': '0600',
  '/etc/kubernetes/pki/front-proxy-ca.crt': '0640',
  '/etc/kubernetes/pki/front-proxy-ca.key': '0600',
  '/etc/kubernetes/pki/sa.pub': '0640',
  '/etc/kubernetes/pki/sa.key': '0600',
  '/etc/kubernetes/audit-policy/apiserver-audit-policy.yaml': '0600',
  '/etc/kubernetes/webhooks/webhookconfig.yaml': '0644',
  '/etc/kubernetes/webhooks/authorization.json': '0644',
  '/etc/kubernetes/configure-kube-proxy.sh': '0755',
  '/etc/kubernetes/patches/kubeletconfiguration0+merge.json': '0644',
  '/etc/containerd/config.toml': '0644',
};
const ofCloudInit = { '/run/kubeadm/kubeadm.yaml': '0640', '/run/cluster-api/placeholder': '0640' };
const ofIgnition = { '/etc/kubeadm.yml': '0600', '/etc/kubeadm.sh': '0700' };

const prepare = [
  'rm -rf /var/lib/etcd/lost+found',
  'systemctl daemon-reload && systemctl restart containerd',
  'sh /etc/kubernetes/configure-kube-proxy.sh',
];
const commandsOfCloudInit = [
  ...prepare,
  'kubeadm init --config /run/kubeadm/kubeadm.yaml  && echo success > /run/cluster-api/bootstrap-success.complete',
];
const commandsOfIgnition = [
  'set -e',
  ...prepare,
  `node_name="\${COREOS_OPENSTACK_HOSTNAME:-$(uname -n)}"`,
  `sed -i "s/__REPLACE_NODE_NAME__/\${node_name%%.*}/g" /etc/kubeadm.yml`,
  'kubeadm init --config /etc/kubeadm.yml ',
  'mkdir -p /run/cluster-api && echo success > /run/cluster-api/bootstrap-success.complete',
  'mv /etc/kubeadm.yml /tmp/',
];

test('the kubeadms are of the oldest and the newest minor that the driver supports', () => {
  const minors = kubeadmVersions.map((version) => Number(version.split('.')[1]));
  expect(minors).toEqual([supportedMinors.oldest, supportedMinors.newest]);
});

describe.each(machines)('with %s and Kubernetes %s the first control plane machine', (system, version) => {
  const isFlatcar = system === 'flatcar';

  test('gets files of root with the permissions that they need', () => {
    const { files } = read(system, version);
    expect(Object.fromEntries([...files].map(([path, file]) => [path, file.permissions]))).toEqual({
      ...permissions,
      ...(isFlatcar ? ofIgnition : ofCloudInit),
    });
    expect(new Set([...files.values()].map(({ owner }) => owner))).toEqual(new Set(['root:root']));
  });

  test('prepares itself, then runs kubeadm, and nothing after', () => {
    expect(read(system, version).commands).toEqual(isFlatcar ? commandsOfIgnition : commandsOfCloudInit);
  });

  test('is left no template but the one that cloud-init fills in', () => {
    const { text, files } = read(system, version);
    const everywhere = [text, ...[...files.values()].map(({ content }) => content)].join('\n');
    const templates = everywhere.match(/\{[{%#].*|<no value>|PLACEHOLDER/g) ?? [];
    expect(templates.filter((found) => found !== "{{ local_hostname }}'")).toEqual([]);
    expect(text.startsWith('## template: jinja\n#cloud-config\n')).toBe(!isFlatcar);
  });

  test('has a configuration that its kubeadm takes', async () => {
    const configuration = await machineConfiguration(read(system, version));
    expect(configuration.match(/^kind: \w+$/gm)).toEqual([
      'kind: ClusterConfiguration',
      'kind: InitConfiguration',
      'kind: KubeProxyConfiguration',
    ]);
    await validateConfiguration(version, configuration);
  }, 1_200_000);
});

describe.each(kubeadmVersions)('kubeadm %s', (version) => {
  test('refuses a configuration with a field that it does not know', async () => {
    const configuration = await machineConfiguration(read('ubuntu', version));
    const wrong = configuration.replace('clusterName:', 'nameOfCluster:');
    await expect(validateConfiguration(version, wrong)).rejects.toThrow('unknown field "nameOfCluster"');
  });

  test('starts an API server that asks whom the file says, without a mode of its own beside it', async () => {
    const command = await apiServerCommand(version, await machineConfiguration(read('ubuntu', version)));
    expect(command.filter((flag) => flag.startsWith('--auth'))).toEqual([
      '--authentication-token-webhook-config-file=/etc/kubernetes/webhooks/webhookconfig.yaml',
      '--authentication-token-webhook-version=v1beta1',
      '--authorization-config=/etc/kubernetes/webhooks/authorization.json',
    ]);
  });
});

describe('the first control plane machine', () => {
  test("signs with Magnum's authorities", () => {
    const { files } = read('ubuntu', newest);
    const file = (path: string) => files.get(path)?.content.trim();
    expect(file('/etc/kubernetes/pki/ca.crt')).toBe(certificates.ca.certificate.trim());
    expect(file('/etc/kubernetes/pki/ca.key')).toBe(certificates.ca.private_key.trim());
    expect(file('/etc/kubernetes/pki/etcd/ca.crt')).toBe(certificates.etcd.certificate.trim());
    expect(file('/etc/kubernetes/pki/front-proxy-ca.crt')).toBe(certificates.front_proxy.certificate.trim());
    expect(file('/etc/kubernetes/pki/sa.key')).toBe(certificates.sa.private_key.trim());
  });

  test.each(kubeadmVersions)('with Kubernetes %s lets kubeadm patch the kubelet', (version) => {
    const { files } = read('ubuntu', version);
    expect(files.get('/run/kubeadm/kubeadm.yaml')?.content).toMatch(/directory: \/etc\/kubernetes\/patches$/m);
    const patch = files.get('/etc/kubernetes/patches/kubeletconfiguration0+merge.json')?.content ?? '';
    expect(JSON.parse(patch)).toMatchObject({ serverTLSBootstrap: true });
  });

  const disks = z.object({
    disk_setup: z.unknown(),
    fs_setup: z.array(z.looseObject({ device: z.string(), label: z.string() })),
    mounts: z.array(z.array(z.string())),
  });

  test.each(['ubuntu', 'debian', 'rockylinux'] as const)('with %s formats and mounts both volumes', (system) => {
    const { disk_setup, fs_setup, mounts } = disks.parse(load(textOf(system, oldest)));
    expect(disk_setup).toEqual({
      '/dev/vdb': { table_type: 'gpt', layout: true, overwrite: false },
      '/dev/vdc': { table_type: 'gpt', layout: true, overwrite: false },
    });
    expect(fs_setup.map(({ device, label }) => [device, label])).toEqual([
      ['/dev/vdb', 'etcd_disk'],
      ['/dev/vdc', 'docker_disk'],
    ]);
    expect(mounts).toEqual([
      ['LABEL=etcd_disk', '/var/lib/etcd'],
      ['LABEL=docker_disk', '/var/lib/containerd'],
    ]);
  });
});

const ignitionConfig = z.object({
  storage: z.object({
    filesystems: z.array(z.object({ mount: z.looseObject({ device: z.string(), label: z.string() }) })),
  }),
  systemd: z.object({ units: z.array(z.looseObject({ name: z.string(), contents: z.string().optional() })) }),
});

describe('on Flatcar the first control plane machine', () => {
  const ignition = () => ignitionConfig.parse(JSON.parse(textOf('flatcar', newest)));

  test('has a name in its configuration that it replaces before kubeadm runs', () => {
    expect(read('flatcar', newest).files.get('/etc/kubeadm.yml')?.content).toContain('name: __REPLACE_NODE_NAME__');
  });

  test('formats and mounts both volumes', () => {
    expect(ignition().storage.filesystems.map(({ mount }) => [mount.device, mount.label])).toEqual([
      ['/dev/vdb', 'etcd_disk'],
      ['/dev/vdc', 'docker_disk'],
    ]);
    const units = new Map(ignition().systemd.units.map(({ name, contents }) => [name, contents]));
    expect(units.get('var-lib-etcd.mount')).toMatch(/What=\/dev\/vdb\nWhere=\/var\/lib\/etcd\n/);
    expect(units.get('var-lib-containerd.mount')).toMatch(/What=\/dev\/vdc\nWhere=\/var\/lib\/containerd\n/);
  });

  test('waits for volumes, but is not stopped when it restarts containerd', () => {
    const dropIns = ignition().systemd.units.flatMap(({ dropins }) => dropins ?? []);
    expect(dropIns).toEqual([expect.objectContaining({ contents: expect.stringContaining('RequiresMountsFor=') })]);
    expect(JSON.stringify(dropIns)).not.toContain('Requires=containerd');
  });
});
