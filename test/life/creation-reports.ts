import { expect } from 'vitest';
import type { StatusReport } from '../../shared/status/progress.ts';
import { statusOf } from '../system/report-log.ts';

export interface CreatedCluster {
  /** Kubernetes version that it was created with. */
  readonly version: string;
  /** Machines by nodegroup. */
  readonly nodes: Readonly<Record<string, number>>;
}

/** Expects of all reports of a new cluster that they lead to CREATE_COMPLETE and that none takes back what another said. */
export function expectCreation(reports: readonly StatusReport[], { version, nodes }: CreatedCluster): void {
  const last = reports.at(-1);
  const before = reports.slice(0, -1);
  expect(new Set(before.map(statusOf))).toEqual(new Set(['CREATE_IN_PROGRESS']));
  expect(before.filter(({ status_reason }) => !status_reason)).toEqual([]);
  expect(last).toMatchObject({ action: 'CREATE', state: 'COMPLETE', status_reason: null, coe_version: version });
  expect(last?.api_address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expectNeverTakenBack(reports.map(({ api_address }) => api_address));
  // Its Secrets are written, and told of, before the Cluster is; from then on each report has all nodegroups.
  const existing = reports.slice(reports.findIndex(({ nodegroups }) => nodegroups.length > 0));
  for (const name of Object.keys(nodes)) {
    const groups = existing.flatMap(({ nodegroups }) => nodegroups.filter((group) => group.name === name));
    expect(groups).toHaveLength(existing.length);
    // What the autoscaler decides is known only once there is a MachineDeployment.
    expectNeverTakenBack(groups.map(({ node_count }) => node_count));
    expect(groups.at(-1)?.node_count).toBe(nodes[name]);
    expectGrowing(groups.map(({ node_addresses }) => node_addresses));
    expect(groups.at(-1)?.node_addresses).toHaveLength(nodes[name] ?? 0);
    expectOneEnd(groups.map(({ state }) => state));
  }
}

/** Unknown, then known, then as it was. */
function expectNeverTakenBack(values: readonly (string | number | null)[]): void {
  const known = values.slice(values.findIndex((value) => value !== null));
  expect(new Set(known).size).toBe(1);
}

function expectGrowing(values: readonly (readonly string[])[]): void {
  for (const [index, value] of values.entries())
    expect(value).toEqual(expect.arrayContaining([...(values[index - 1] ?? [])]));
}

function expectOneEnd(states: readonly string[]): void {
  const from = states.indexOf('COMPLETE');
  expect(new Set(states.slice(from))).toEqual(new Set(['COMPLETE']));
  expect(new Set(states.slice(0, from))).toEqual(new Set(from === 0 ? [] : ['IN_PROGRESS']));
}
