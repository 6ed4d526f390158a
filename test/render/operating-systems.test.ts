import { describe, expect, test } from 'vitest';
import type { OperatingSystem } from '../../shared/magnum/cluster-intent.ts';
import { blockDevice, type Disk, dockerDisk, etcdDisk, expectDisks } from './disks.ts';
import { exampleNodegroup } from './example-intent.ts';
import { computeAll, type Situation } from './topology-stage.ts';

const systems: readonly OperatingSystem[] = ['ubuntu', 'debian', 'rockylinux', 'flatcar'];
const volumes = ['none', 'etcd', 'docker', 'etcd and docker'] as const;
type Volumes = (typeof volumes)[number];

/** Types that YAML would read as something else. */
const etcdVolume = { size: 10, type: '1e3' };
const dockerVolume = { size: 20, type: 'yes: "no" # ü' };
const noVolume = { size: 0, type: null };

function withVolumes(operatingSystem: OperatingSystem, wanted: Volumes): Situation {
  const docker = wanted.includes('docker') ? dockerVolume : noVolume;
  return {
    intent: {
      operatingSystem,
      proxy: { http: 'http://proxy:3128', https: null, noProxy: '10.0.0.0/8' },
      etcdVolume: wanted.includes('etcd') ? etcdVolume : noVolume,
      dockerVolume: docker,
      workers: [exampleNodegroup({ dockerVolume: docker })],
    },
  };
}

const combinations = systems.flatMap((system) => volumes.map((wanted) => [system, wanted] as const));

const computed = computeAll(
  Object.fromEntries(combinations.map(([system, wanted]) => [`${system} ${wanted}`, withVolumes(system, wanted)])),
);

/** Which disks the nodes have to prepare, by combination. */
const disks: Readonly<Record<Volumes, { readonly controlPlane: readonly Disk[]; readonly workers: readonly Disk[] }>> =
  {
    none: { controlPlane: [], workers: [] },
    etcd: { controlPlane: [etcdDisk('/dev/vdb')], workers: [] },
    docker: { controlPlane: [dockerDisk('/dev/vdb')], workers: [dockerDisk('/dev/vdb')] },
    'etcd and docker': {
      controlPlane: [etcdDisk('/dev/vdb'), dockerDisk('/dev/vdc')],
      workers: [dockerDisk('/dev/vdb')],
    },
  };

function blockDevices(wanted: readonly Disk[]) {
  return wanted.map(({ volume }) => blockDevice(volume, volume === 'etcd' ? etcdVolume : dockerVolume));
}

describe.each(combinations)('on %s with volumes for %s', (system, wanted) => {
  test('the control plane attaches, formats and mounts them', () => {
    const { controlPlane } = computed(`${system} ${wanted}`);
    expect(controlPlane.machine['additionalBlockDevices'] ?? []).toEqual(blockDevices(disks[wanted].controlPlane));
    expectDisks(controlPlane, system, disks[wanted].controlPlane);
  });

  test('workers attach, format and mount the one for containers', () => {
    const worker = computed(`${system} ${wanted}`).nodegroups['default-worker']!;
    expect(worker.machine['additionalBlockDevices'] ?? []).toEqual(blockDevices(disks[wanted].workers));
    expectDisks(worker, system, disks[wanted].workers);
  });
});

describe.each(systems)('on %s', (system) => {
  const flatcar = system === 'flatcar';
  const nodes = () => {
    const { controlPlane, nodegroups } = computed(`${system} none`);
    return [controlPlane, nodegroups['default-worker']!];
  };

  test('containerd uses the proxies', () => {
    for (const { files } of nodes()) {
      expect(files['/etc/systemd/system/containerd.service.d/proxy.conf']).toContain('"http_proxy=http://proxy:3128"');
    }
  });

  test('apt uses the proxies where it exists', () => {
    const exists = ['ubuntu', 'debian'].includes(system);
    for (const { files } of nodes()) {
      expect('/etc/apt/apt.conf.d/90proxy' in files).toBe(exists);
    }
  });

  test('the node is named by what starts it', () => {
    const name = flatcar ? '__REPLACE_NODE_NAME__' : '{{ local_hostname }}';
    expect(computed(`${system} none`).controlPlane.initRegistration.name).toBe(name);
    for (const { config, joinRegistration, commands } of nodes()) {
      expect(joinRegistration.name).toBe(name);
      expect(config['format'] ?? 'cloud-config').toBe(flatcar ? 'ignition' : 'cloud-config');
      expect('ignition' in config).toBe(flatcar);
      expect(commands.some((command) => command.includes(name))).toBe(flatcar);
    }
  });
});
