import { createHash } from 'node:crypto';
import { pageLimit } from './service-files.ts';

/** What both clouds hold, so that both are asked the same. */

export type ProjectName = 'demo' | 'other';

/** Users by name: their roles on the project demo, the user other's on the project other. */
export const users = {
  demo: { project: 'demo', roles: ['member', 'reader'] },
  viewer: { project: 'demo', roles: ['reader'] },
  /** Has a role, else he could not sign in; no service's policy knows it. */
  stranger: { project: 'demo', roles: ['stranger'] },
  other: { project: 'other', roles: ['member', 'reader'] },
  operator: { project: 'other', roles: ['admin'] },
} as const satisfies Record<string, { readonly project: ProjectName; readonly roles: readonly string[] }>;

export type UserName = keyof typeof users;

/** More than a page. */
const many = pageLimit + 3;

function repeated<T>(thing: T): readonly T[] {
  return Array.from({ length: many }, () => thing);
}

export interface FlavorContent {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  readonly ram: number;
  readonly disk: number;
  readonly ephemeral?: number;
  readonly swap?: number;
  /** Only this project may use it. @default everybody */
  readonly project?: ProjectName;
}

export const flavors: readonly FlavorContent[] = [
  { id: '1', name: 'm1.small', vcpus: 1, ram: 2048, disk: 20 },
  { id: '2', name: 'm1.medium', vcpus: 2, ram: 4096, disk: 40 },
  { id: '3', name: 'diskless', vcpus: 2, ram: 4096, disk: 0 },
  { id: '4', name: 'disks', vcpus: 2, ram: 4096, disk: 40, ephemeral: 5, swap: 512 },
  { id: 'like-an-id', name: '1', vcpus: 1, ram: 512, disk: 1 },
  { id: 'demo-only', name: 'demo-only', vcpus: 8, ram: 8192, disk: 80, project: 'demo' },
  { id: 'other-only', name: 'other-only', vcpus: 8, ram: 8192, disk: 80, project: 'other' },
  { id: 'id with.dots', name: 'größe: "1"', vcpus: 1, ram: 1024, disk: 10 },
  // So many that the list has a second page.
  ...Array.from({ length: many }, (_, index) => ({
    id: `z${index + 10}`,
    name: `z${index}`,
    vcpus: 1,
    ram: 1,
    disk: 1,
  })),
];

export interface ImageContent {
  readonly name: string;
  readonly status: 'active' | 'queued' | 'deactivated';
  readonly visibility: 'public' | 'private';
  readonly owner: ProjectName;
  readonly minDisk: number;
  readonly properties: Readonly<Record<string, string>>;
}

const plainImage = { status: 'active', visibility: 'public', owner: 'other', minDisk: 0, properties: {} } as const;

export const images: readonly ImageContent[] = [
  { ...plainImage, name: 'ubuntu-2204-kube-v1.30', properties: { os_distro: 'ubuntu', hw_disk_bus: 'scsi' } },
  { ...plainImage, name: 'large', minDisk: 30 },
  { ...plainImage, name: 'queued', status: 'queued' },
  { ...plainImage, name: 'deactivated', status: 'deactivated' },
  { ...plainImage, name: 'own', visibility: 'private', owner: 'demo' },
  { ...plainImage, name: 'foreign', visibility: 'private' },
  { ...plainImage, name: 'twice' },
  { ...plainImage, name: 'twice' },
  { ...plainImage, name: 'in:colon' },
  { ...plainImage, name: 'größe "1", 2' },
  { ...plainImage, name: '11111111-1111-4111-8111-111111111111' },
  ...repeated({ ...plainImage, name: 'many' }),
];

export interface NetworkContent {
  readonly name: string;
  readonly external: boolean;
  readonly owner: ProjectName;
  readonly subnets: readonly { readonly name: string; readonly cidr: string }[];
}

const plainNetwork = { external: false, owner: 'demo', subnets: [] } as const;

export const networks: readonly NetworkContent[] = [
  { name: 'public', external: true, owner: 'other', subnets: [{ name: 'public-subnet', cidr: '203.0.113.0/24' }] },
  { ...plainNetwork, name: 'public' },
  {
    ...plainNetwork,
    name: 'private',
    subnets: [
      { name: 'private-subnet', cidr: '10.0.0.0/24' },
      { name: 'same-subnet', cidr: '10.0.1.0/24' },
      { name: 'six', cidr: '2001:db8::/64' },
    ],
  },
  { ...plainNetwork, name: 'second', subnets: [{ name: 'same-subnet', cidr: '10.0.2.0/24' }] },
  { ...plainNetwork, name: 'twice' },
  { ...plainNetwork, name: 'twice' },
  { ...plainNetwork, name: 'größe: "1", 2' },
  { ...plainNetwork, name: '22222222-2222-4222-8222-222222222222' },
  { ...plainNetwork, name: 'foreign', owner: 'other', subnets: [{ name: 'foreign-subnet', cidr: '10.0.3.0/24' }] },
  ...repeated({ ...plainNetwork, name: 'many' }),
];

/** Keypairs of the user demo; those of the user other have the name alone. */
export const keypairs = { demo: ['mykey', 'my key', 'me@home.example', '.hidden'], other: ['foreign'] } as const;

export const keypair = sshKey('a public key that nobody has the private one of');

/** As ssh-keygen writes an Ed25519 key, with the fingerprint that Nova makes of it. */
function sshKey(seed: string): { readonly publicKey: string; readonly fingerprint: string } {
  const point = createHash('sha256').update(seed).digest();
  const fields = [Buffer.from('ssh-ed25519'), point].flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  const key = Buffer.concat(fields);
  const digest = createHash('md5').update(key).digest('hex');
  return { publicKey: `ssh-ed25519 ${key.toString('base64')}`, fingerprint: (digest.match(/../g) ?? []).join(':') };
}

/** Volume types beside Cinder's own `__DEFAULT__`; a private one belongs to its project. */
export const volumeTypes: readonly { readonly name: string; readonly project?: ProjectName }[] = [
  ...['ssd', 'yes', '1e3', 'a: b', 'quo"te#', 'größe'].map((name) => ({ name })),
  { name: 'demo-only', project: 'demo' },
  { name: 'other-only', project: 'other' },
  ...Array.from({ length: pageLimit }, (_, index) => ({ name: `z${index}` })),
];

export interface ServerContent {
  readonly name: string;
  readonly status: 'ACTIVE' | 'ERROR' | 'SHUTOFF';
  readonly owner: ProjectName;
  readonly fault?: { readonly code: number; readonly message: string };
}

export const servers: readonly ServerContent[] = [
  { name: 'well', status: 'ACTIVE', owner: 'demo' },
  { name: 'off', status: 'SHUTOFF', owner: 'demo' },
  {
    name: 'broken',
    status: 'ERROR',
    owner: 'demo',
    fault: { code: 500, message: 'No valid host was found. There are not enough hosts available.' },
  },
  ...repeated({ name: 'broken-too', status: 'ERROR', owner: 'demo' } as const),
  { name: 'foreign', status: 'ERROR', owner: 'other' },
];

/** Of the project demo: one that leads to a port of the network private, and one that leads nowhere. */
export const floatingIps = { used: 'service web', unused: 'spare' } as const;

/** Name of the port that the used one leads to. */
export const portName = 'web';
