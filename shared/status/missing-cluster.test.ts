import { describe, expect, test } from 'vitest';
import type { Observed, ObservedCloudConfig } from './observed.ts';
import { deletionStatus, gone, magnumRows, mark, overdueMark, secret } from './testing/deletion.ts';
import { ago, cluster, controlPlane, machineDeployment, master, stackId, uuid } from './testing/objects.ts';

describe('without a Cluster', () => {
  const missing = `The Cluster ${stackId} is missing in the management cluster, and nobody asked this driver to delete it.`;
  const cleaning = 'The cluster is gone, and what was made for it in the cloud is being cleaned up.';
  const coming = 'The cluster is not in the management cluster yet.';
  const marked = { ...secret, deleteRequested: mark };

  test.each<[string, ObservedCloudConfig | null | undefined, string | null, object | null]>([
    [
      'the Secret is marked',
      marked,
      'DELETE_IN_PROGRESS',
      { action: 'DELETE', state: 'IN_PROGRESS', status_reason: cleaning },
    ],
    [
      'the Secret is marked and Magnum did not ask',
      marked,
      null,
      { action: 'DELETE', state: 'IN_PROGRESS', status_reason: cleaning },
    ],
    [
      'the mark is overdue',
      { ...secret, deleteRequested: overdueMark },
      'DELETE_IN_PROGRESS',
      {
        action: 'DELETE',
        state: 'FAILED',
        status_reason: `Deleting the cluster was not complete in time, by 2026-01-01T00:59:00.000Z. ${cleaning}`,
      },
    ],
    [
      'nothing is left, and Magnum deletes',
      null,
      'DELETE_IN_PROGRESS',
      { action: 'DELETE', state: 'COMPLETE', status_reason: null },
    ],
    ['nothing is left, and Magnum failed to delete', null, 'DELETE_FAILED', { action: 'DELETE', state: 'COMPLETE' }],
    [
      'nothing is left, and Magnum knows it as complete',
      null,
      'CREATE_COMPLETE',
      { action: 'CREATE', state: 'FAILED', status_reason: missing },
    ],
    [
      'nothing is left, and Magnum updates',
      null,
      'UPDATE_IN_PROGRESS',
      { action: 'UPDATE', state: 'FAILED', status_reason: missing },
    ],
    [
      'the Secret has no mark',
      secret,
      'UPDATE_COMPLETE',
      { action: 'UPDATE', state: 'FAILED', status_reason: missing },
    ],
    [
      'the Secret has no mark although Magnum deletes',
      secret,
      'DELETE_IN_PROGRESS',
      { action: 'DELETE', state: 'FAILED', status_reason: missing },
    ],
    [
      'the Secret has no mark and Magnum did not ask',
      secret,
      null,
      { action: null, state: 'FAILED', status_reason: missing },
    ],
    [
      'Magnum creates and nothing is there yet',
      null,
      'CREATE_IN_PROGRESS',
      { action: 'CREATE', state: 'IN_PROGRESS', status_reason: coming },
    ],
    [
      'Magnum creates and the Secret is there',
      secret,
      'CREATE_IN_PROGRESS',
      { action: 'CREATE', state: 'IN_PROGRESS', status_reason: coming },
    ],
    [
      'the Secret is new',
      { ...secret, created: ago(0.5) },
      null,
      { action: 'CREATE', state: 'IN_PROGRESS', status_reason: coming },
    ],
    ['its create was refused', null, 'CREATE_FAILED', null],
    ['the Secret was not read', undefined, 'DELETE_IN_PROGRESS', null],
  ])('when %s', (_what, cloudConfig, row, report) => {
    const derived = deletionStatus({ ...gone, cloudConfig }, row === null ? null : magnumRows(row));
    if (report === null) expect(derived).toBeNull();
    else
      expect(derived?.report).toMatchObject({
        cluster_uuid: uuid,
        stack_id: stackId,
        coe_version: null,
        api_address: null,
        ...report,
      });
  });

  test('its nodegroups share its fate', () => {
    const derived = deletionStatus({ ...gone, cloudConfig: null }, magnumRows('DELETE_IN_PROGRESS'));
    const shared = {
      operation: null,
      action: 'DELETE',
      state: 'COMPLETE',
      status_reason: null,
      node_count: null,
      node_addresses: [],
    };
    expect(derived?.report.nodegroups).toEqual([
      { name: 'default-master', ...shared },
      { name: 'default-worker', ...shared },
    ]);
  });

  test.each<[string, Partial<Observed>]>([
    ['nothing', { ...gone, cloudConfig: null }],
    ['a Secret that names no cluster', { ...gone, cloudConfig: { ...secret, uuid: null } }],
    [
      'a Cluster that no Magnum driver made',
      {
        cluster: cluster({ metadata: { labels: {} } }),
        controlPlane: controlPlane(),
        machines: [master],
        machineDeployments: [machineDeployment()],
      },
    ],
  ])('%s is nothing to report', (_what, changes) => {
    expect(deletionStatus(changes)).toBeNull();
  });

  test("Magnum's rows of another cluster count for nothing", () => {
    const other = { ...magnumRows('DELETE_IN_PROGRESS'), uuid: 'another' };
    expect(deletionStatus({ ...gone, cloudConfig: secret }, other)?.report).toMatchObject({
      cluster_uuid: uuid,
      action: null,
      state: 'FAILED',
    });
  });
});

describe('when the Cluster is gone and the cloud is being cleaned up', () => {
  const group = 'Server group kube-abcde cannot be deleted: OpenStack compute answered 403.';
  const cleaning = (isDone: boolean, deleteRequested = mark, remaining = [group]) =>
    deletionStatus(
      { ...gone, cloudConfig: { ...secret, deleteRequested }, cleanUp: { isDone, remaining } },
      magnumRows(null),
    );

  test('what may still go keeps the deletion open, and is told', () => {
    const { report, isOpen } = cleaning(false) ?? {};
    expect(report).toMatchObject({ action: 'DELETE', state: 'IN_PROGRESS' });
    expect(report?.status_reason).toMatch(/being cleaned up\. Server group kube-abcde cannot be deleted/);
    expect(isOpen).toBe(true);
  });

  test('it has failed when its time is up, and still says what remains', () => {
    expect(cleaning(false, overdueMark)?.report).toMatchObject({
      state: 'FAILED',
      status_reason: expect.stringContaining(group),
    });
  });

  test.each([
    ['even too late', overdueMark],
    ['in time', mark],
  ])('it is complete, with its nodegroups, when nothing is left %s', (_title, deleteRequested) => {
    const { report, isOpen, completed } = cleaning(true, deleteRequested, []) ?? {};
    const complete = { action: 'DELETE', state: 'COMPLETE', status_reason: null };
    expect(report).toMatchObject({ cluster_uuid: uuid, ...complete, nodegroups: [complete, complete] });
    expect({ isOpen, completed }).toEqual({ isOpen: false, completed: [] });
  });

  test('it is complete with a reason where something stays for good', () => {
    expect(cleaning(true)?.report).toMatchObject({ state: 'COMPLETE', status_reason: group });
  });
});
