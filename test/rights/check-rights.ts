import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { connectApi } from '../env/kubernetes-api.ts';
import { type AuditedCall, auditedCalls } from './audited-call.ts';
import { refusedRights } from './refused-rights.ts';
import { rightText } from './right.ts';
import { recordUsedRights } from './used-rights.ts';

/** A control plane and its record of all calls. */
export interface AuditedControlPlane {
  readonly server: string;
  readonly caCertificate: string;
  readonly adminToken: string;
  readonly auditLogPath: string;
}

/** Bytes that the audit log has by now: what a test file does comes after them. */
export async function auditLogSize(path: string): Promise<number> {
  return (await stat(path)).size;
}

/**
 * Keeps which rights the accounts of knative/ have used while a test file ran. Files that run at the same time on one control
 * plane see each other's calls as well.
 * @param offset bytes of the audit log that are older than the file. @default 0
 * @throws AssertionError that names the calls that were forbidden
 */
export async function checkRights(controlPlane: AuditedControlPlane, offset = 0): Promise<void> {
  await waitForLog(controlPlane);
  const used = new Set<string>();
  const refused: AuditedCall[] = [];
  for await (const call of auditedCalls(controlPlane.auditLogPath, offset)) {
    if (call.status === 403) refused.push(call);
    else for (const right of rightsOf(call)) used.add(right);
  }
  await recordUsedRights(expect.getState().testPath ?? 'unknown', used);
  expect(refusedRights(refused, used), 'calls of our own accounts that were forbidden').toEqual([]);
}

/** An apply that creates an object is authorised for both verbs. */
function rightsOf(call: AuditedCall): string[] {
  const isCreation = call.verb === 'patch' && call.status === 201;
  return [rightText(call), ...(isCreation ? [rightText({ ...call, verb: 'create' })] : [])];
}

/** The log comes in batches: what was done before a call stands before it. */
async function waitForLog(controlPlane: AuditedControlPlane): Promise<void> {
  const marker = `marker-${randomUUID()}`;
  const start = await auditLogSize(controlPlane.auditLogPath);
  const api = connectApi({ ...controlPlane, token: controlPlane.adminToken });
  await api.call('GET', `/readyz?${marker}`);
  api.close();
  await vi.waitFor(
    async () => {
      const log = await text(createReadStream(controlPlane.auditLogPath, { start }));
      if (!log.includes(marker)) throw new Error('The audit log is not up to date.');
    },
    { timeout: 20_000, interval: 200 },
  );
}
