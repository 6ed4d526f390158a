/** The n-th address of a subnet, e.g. 10.0.0.7 of 10.0.0.0/24. */
export function addressOf(cidr: string, n: number): string {
  const [network = ''] = cidr.split('/');
  const value = network.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0) + n;
  return [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');
}
