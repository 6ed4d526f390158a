import { BlockList, isIP } from 'node:net';
import type { Parse } from './text-format.ts';

type Family = 4 | 6;

interface Cidr {
  readonly address: string;
  readonly prefix: number;
  readonly family: Family;
}

/** Shortest and longest prefix that is accepted, by IP version; a version that is left out is refused. */
export interface PrefixLimits {
  readonly 4: readonly [number, number];
  readonly 6?: readonly [number, number];
}

const widths = { 4: 32, 6: 128 } as const;

function readCidr(text: string): Cidr | null {
  const [, address = '', digits] = /^([0-9A-Fa-f:.]+)\/(0|[1-9][0-9]{0,2})$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const family = version === 4 ? 4 : 6;
  const prefix = Number(digits);
  return prefix > widths[family] ? null : { address, prefix, family };
}

/** CIDR whose prefix keeps the limits. */
export function cidr(limits: PrefixLimits): Parse<string> {
  return (text) => {
    const network = readCidr(text);
    if (network === null) return { problem: 'is not a CIDR such as 10.100.0.0/16' };
    const range = limits[network.family];
    if (range === undefined) return { problem: `is an IPv${network.family} network, which is not possible here` };
    const [shortest, longest] = range;
    if (network.prefix >= shortest && network.prefix <= longest) return { value: text };
    return { problem: `needs a prefix between /${shortest} and /${longest}` };
  };
}

/** IPv4 CIDR as Neutron takes it for a subnet: no bits are set behind the prefix. */
export function ipv4Subnet(shortest: number, longest: number): Parse<string> {
  const parse = cidr({ 4: [shortest, longest] });
  return (text) => {
    const parsed = parse(text);
    if ('problem' in parsed) return parsed;
    const network = networkOf(parsed.value);
    return network === parsed.value ? parsed : { problem: `has bits behind its prefix: the network is ${network}` };
  };
}

const octetShifts = [24, 16, 8, 0] as const;

function networkOf(ipv4Cidr: string): string {
  const [address = '', prefix] = ipv4Cidr.split('/');
  const number = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const size = 2 ** (widths[4] - Number(prefix));
  const first = number - (number % size);
  return `${octetShifts.map((shift) => Math.floor(first / 2 ** shift) % 256).join('.')}/${prefix}`;
}

function contains(outer: Cidr, inner: Cidr): boolean {
  const block = new BlockList();
  const family = outer.family === 4 ? 'ipv4' : 'ipv6';
  block.addSubnet(outer.address, outer.prefix, family);
  return block.check(inner.address, family);
}

/** Whether two networks share addresses; what is no CIDR shares none. */
export function overlap(one: string, other: string): boolean {
  const first = readCidr(one);
  const second = readCidr(other);
  if (first === null || second === null || first.family !== second.family) return false;
  return contains(first, second) || contains(second, first);
}
