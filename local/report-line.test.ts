import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { type Report, reportOf } from './report.ts';
import { reportLine } from './report-line.ts';

const status = {
  cluster_uuid: 'a3f0b1c2-0000-4000-8000-000000000001',
  stack_id: 'kube-abcde',
  operation: 'e1',
  action: 'CREATE' as const,
  state: 'IN_PROGRESS' as const,
  status_reason: 'Waiting for\n  1 machine.',
  api_address: null,
  coe_version: null,
  nodegroups: [],
};
const health = {
  cluster_uuid: status.cluster_uuid,
  stack_id: 'kube-abcde',
  health_status: 'UNHEALTHY' as const,
  health_status_reason: { api: 'ok', 'kube-abcde-x.Ready': 'False' },
};
const time = '2026-11-30T06:01:02.345Z';

test.each<[Report, string]>([
  [{ kind: 'status', time, status }, '06:01:02  kube-abcde  CREATE_IN_PROGRESS  Waiting for 1 machine.'],
  [
    { kind: 'status', time, status: { ...status, action: null, state: 'COMPLETE', status_reason: null } },
    '06:01:02  kube-abcde  COMPLETE',
  ],
  [
    { kind: 'health', time: '', health },
    '--:--:--  kube-abcde  health UNHEALTHY    api: ok, kube-abcde-x.Ready: False',
  ],
])('%# is one line', (report, line) => {
  expect(stripVTControlCharacters(reportLine(report))).toBe(line);
});

test('a line ends where the terminal does', () => {
  const line = stripVTControlCharacters(reportLine({ kind: 'status', time, status }, 50));
  expect(line).toBe('06:01:02  kube-abcde  CREATE_IN_PROGRESS  Waiting…');
  expect(line).toHaveLength(50);
});

function eventOf(type: string, data: unknown) {
  return {
    attributes: { type: `org.openstack.magnum.cluster.${type}.v1`, time },
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify(data)),
  };
}

test('reports are read from their events and from no others', () => {
  expect(reportOf(eventOf('status', status))).toEqual({ kind: 'status', time, status });
  expect(reportOf(eventOf('health', health))).toEqual({ kind: 'health', time, health });
  expect(reportOf(eventOf('create', {}))).toBeUndefined();
  expect(() => reportOf(eventOf('status', {}))).toThrow();
});
