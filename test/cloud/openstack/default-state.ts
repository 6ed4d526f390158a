import { randomBytes, randomUUID } from 'node:crypto';
import { serviceNames } from './identity.ts';
import type { CloudState, Flavor, Image, Project, Service, User } from './state.ts';

/** Names that break what is not careful with them: YAML keywords, numbers, quotes, comments, non-ASCII. */
export const hostileNames = ['yes', '1e3', 'null', 'a: b', 'quo"te#', 'größe'] as const;

/** Whom the default state knows. */
export interface Owners {
  readonly projects: { readonly [Name in 'demo' | 'admin' | 'service']: Project };
  readonly users: { readonly [Name in 'demo' | 'admin' | 'magnum']: User };
}

/** Users and projects of a simulated Keystone. */
function simulatedOwners(): Owners {
  const demo = { id: hexId(), name: 'demo' };
  const admin = { id: hexId(), name: 'admin' };
  const service = { id: hexId(), name: serviceNames.project };
  const adminRoles = ['admin', 'member', 'reader'];
  return {
    projects: { demo, admin, service },
    users: {
      demo: makeUser('demo', { [demo.id]: ['member', 'reader'] }),
      admin: makeUser('admin', { [admin.id]: adminRoles, [demo.id]: adminRoles }),
      magnum: makeUser(serviceNames.user, { [service.id]: adminRoles }),
    },
  };
}

/** A cloud as a small installation has it. Ids and secrets are new in each run. */
export function defaultState({ projects, users }: Owners = simulatedOwners()): CloudState {
  const { demo, admin } = projects;
  const network = { id: randomUUID(), name: 'private', external: false, projectId: demo.id };
  const subnet = { id: randomUUID(), name: 'private-subnet', networkId: network.id, projectId: demo.id };
  return {
    region: 'RegionOne',
    services: services(),
    users: [users.demo, users.admin, users.magnum],
    projects: [demo, admin, projects.service],
    tokens: [],
    applicationCredentials: [],
    flavors: flavors(),
    images: images(admin.id),
    networks: [{ id: randomUUID(), name: 'public', external: true, projectId: admin.id }, network],
    subnets: [{ ...subnet, cidr: '10.0.0.0/24' }],
    keypairs: [
      { name: 'mykey', userId: users.demo.id, publicKey: 'ssh-ed25519 AAAA simulated', fingerprint: '00:11:22' },
    ],
    volumeTypes: ['ssd', 'hdd', ...hostileNames].map(named),
    defaultVolumeType: 'ssd',
    shareTypes: ['cephfs', 'nfs', ...hostileNames].map(named),
    serverGroups: [],
    availabilityZones: [
      { name: 'nova', available: true },
      { name: 'az2', available: true },
    ],
    servers: [],
    loadBalancers: [],
    loadBalancerDeletionLooks: 0,
    floatingIps: [],
    quotas: { serverGroups: 10, applicationCredentials: -1, instances: -1, cores: -1, ram: -1 },
  };
}

function services(): Service[] {
  return [
    { type: 'identity', name: 'keystone', path: '/identity' },
    { type: 'compute', name: 'nova', path: '/compute/v2.1' },
    { type: 'image', name: 'glance', path: '/image' },
    { type: 'network', name: 'neutron', path: '/network' },
    { type: 'block-storage', name: 'cinder', path: '/volume/v3/{project}' },
    { type: 'shared-file-system', name: 'manila', path: '/share/v2' },
    { type: 'load-balancer', name: 'octavia', path: '/load-balancer' },
  ];
}

/** A user with a new password. @param roles by project id */
export function makeUser(name: string, roles: User['roles']): User {
  return { id: hexId(), name, password: randomBytes(18).toString('base64url'), roles };
}

function flavors(): Flavor[] {
  const sizes: [string, number, number, number][] = [
    ['m1.small', 1, 2048, 20],
    ['m1.medium', 2, 4096, 40],
    ['m1.large', 4, 8192, 80],
    ['diskless', 2, 4096, 0],
  ];
  return sizes.map(([name, vcpus, ram, disk], index) => ({ id: String(index + 1), name, vcpus, ram, disk }));
}

function images(owner: string): Image[] {
  const distros: [string, Record<string, string>][] = [
    ['ubuntu-2204-kube-v1.30', { os_distro: 'ubuntu', hw_disk_bus: 'scsi' }],
    ['ubuntu-2204-kube-v1.31', { os_distro: 'ubuntu' }],
    ['debian-12-kube-v1.30', { os_distro: 'debian' }],
    ['rockylinux-9-kube-v1.30', { os_distro: 'rockylinux' }],
    ['flatcar-kube-v1.30', { os_distro: 'flatcar' }],
    ['same-name', { os_distro: 'ubuntu' }],
    ['same-name', { os_distro: 'ubuntu' }],
  ];
  const shared = { status: 'active', visibility: 'public', owner, min_disk: 0 } as const;
  return distros.map(([name, properties]) => ({ ...shared, id: randomUUID(), name, properties }));
}

function named(name: string): { id: string; name: string } {
  return { id: randomUUID(), name };
}

/** An id as Keystone makes them. */
export function hexId(): string {
  return randomBytes(16).toString('hex');
}
