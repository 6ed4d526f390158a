import { expect, test } from 'vitest';
import type { StatusReport } from './progress.ts';
import { reportHash } from './report-hash.ts';

const nodegroup = {
  name: 'a',
  operation: 'e1',
  action: 'CREATE',
  state: 'COMPLETE',
  status_reason: null,
  node_count: 1,
  node_addresses: ['1', '2'],
} as const;
const report: StatusReport = {
  cluster_uuid: 'u',
  stack_id: 'kube-abcde',
  operation: 'e1',
  action: 'CREATE',
  state: 'COMPLETE',
  status_reason: null,
  api_address: null,
  coe_version: 'v1.33.4',
  nodegroups: [{ ...nodegroup, node_addresses: [...nodegroup.node_addresses] }],
};

test('the order of fields does not change the hash', () => {
  const reversed = Object.fromEntries(Object.entries(report).reverse()) as StatusReport;
  expect(reportHash(reversed)).toBe(reportHash(report));
  expect(reportHash(report)).toMatch(/^[0-9a-f]{16}$/);
});

test.each<[string, Partial<StatusReport>]>([
  ['its state', { state: 'FAILED' }],
  ['its reason', { status_reason: '' }],
  ['its action', { action: null }],
  ['its operation', { operation: 'e2' }],
  ['a nodegroup', { nodegroups: [] }],
  ['an address', { nodegroups: [{ ...nodegroup, node_addresses: ['2', '1'] }] }],
])('%s changes it', (_what, change) => {
  expect(reportHash({ ...report, ...change })).not.toBe(reportHash(report));
});
