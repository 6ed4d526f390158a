import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import * as z from 'zod';
import { type Plan, type PlanOptions, planOperation } from '../../cli/plan/plan-operation.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { CloudState } from '../cloud/openstack/state.ts';
import { waitFor } from '../env/wait-for.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import type { AuditedControlPlane } from '../rights/check-rights.ts';

export interface PlanSettings extends Pick<PlanOptions, 'serviceCloud'> {
  /** Of the driver. @default this release's */
  readonly version?: string | undefined;
}

/** Plans an event, as the administrator. */
export function planEvent(
  { server, caCertificate, adminToken }: AuditedControlPlane,
  event: ExampleEvent,
  { version = packageJson.version, serviceCloud }: PlanSettings = {},
): Promise<Plan> {
  const connection = { server, caCertificate, token: async () => adminToken };
  const { id, type, subject, time, data } = event;
  const signal = AbortSignal.timeout(110_000);
  return planOperation(
    { id, type, subject, time, data, source: '/test', extensions: {} },
    { connection, version, serviceCloud, signal },
  );
}

interface Places {
  readonly kubernetes: KubernetesClient;
  readonly cloud: { readonly state: CloudState };
}

/**
 * Expects that the work leaves every object of the namespace, Leases too, and the whole cloud as they are. Controllers may change
 * one in the meantime: then it is done again.
 */
export async function leavingEverything<T>(places: Places, work: () => Promise<T>): Promise<T> {
  const look = async () => ({
    objects: await allContents(places.kubernetes),
    cloud: structuredClone({ ...places.cloud.state, tokens: [] }),
  });
  for (let attempt = 1; ; attempt += 1) {
    const before = await look();
    const result = await work();
    const after = await look();
    expect(after.cloud).toEqual(before.cloud);
    if (attempt === 5) expect(after.objects).toEqual(before.objects);
    if (JSON.stringify(after.objects) === JSON.stringify(before.objects)) return result;
  }
}

/** What all objects of the namespace are, of each kind that the driver knows; Events and states tell of others. */
async function allContents(kubernetes: KubernetesClient): Promise<Record<string, object>> {
  const types = Object.values<ResourceType>(resources).filter(({ namespaced, kind }) => namespaced && kind !== 'Event');
  const lists = await Promise.all(types.map((type) => kubernetes.list(type, { namespace })));
  return Object.fromEntries(
    lists.flat().map(({ status: _, metadata, ...content }) => {
      const { managedFields: __, resourceVersion: ___, ...kept } = metadata ?? {};
      return [`${content.kind}/${metadata?.name}`, { ...content, metadata: kept }];
    }),
  );
}

const call = z.object({ verb: z.string(), requestURI: z.string(), userAgent: z.string().default('') });
const reading = new Set(['get', 'list', 'watch']);

/** Expects that the API server has seen plans, and of none of them a write that it should have stored. */
export async function expectDryRuns(auditLogPath: string, atLeast: number): Promise<void> {
  const probe = async () => {
    const writes: string[] = [];
    for await (const line of createInterface({ input: createReadStream(auditLogPath) })) {
      if (!line.includes('magnum-capi plan')) continue;
      const { verb, requestURI, userAgent } = call.parse(JSON.parse(line));
      if (userAgent === 'magnum-capi plan' && !reading.has(verb)) writes.push(`${verb} ${requestURI}`);
    }
    expect(writes.length).toBeGreaterThanOrEqual(atLeast);
    expect(writes.filter((write) => !write.includes('dryRun=All'))).toEqual([]);
  };
  await waitFor(probe, { what: 'the audit log', timeout: 20_000 });
}
