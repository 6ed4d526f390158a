import { describe, expect, test, vi } from 'vitest';
import type { ApiProxy } from '../functions/api-proxy.ts';
import { createCluster } from '../functions/created-cluster.ts';
import type { FunctionProcess } from '../functions/function-process.ts';
import { startKillingProxy } from '../functions/killing-proxy.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { makeMachine, markOf } from './hand-made-machines.ts';
import { readEntry } from './read-cluster.ts';

const stage = stageOfFile();

const clusterPatch = /^PATCH .*\/clusters\//;
const machinePatch = /^PATCH .*\/machines\//;

interface Refusal {
  readonly calls: RegExp;
  readonly status: number;
  /** How many calls are refused. */
  readonly times: number;
}

interface RefusedFunction extends Pick<FunctionProcess, 'url' | 'logLines'> {
  readonly proxy: ApiProxy;
}

/** A resize function whose API server refuses some calls. */
async function refusedFunction({ calls, status, times }: Refusal): Promise<RefusedFunction> {
  let left = times;
  const instead = (call: string) => {
    if (!calls.test(call) || left === 0) return undefined;
    left -= 1;
    return status;
  };
  const { server, caCertificate } = stage().controlPlane;
  const proxy = await startKillingProxy({ server, caCertificate, instead });
  const options = { name: 'resize', server: proxy.server, caCertificate: proxy.caCertificate } as const;
  const { url, logLines } = await stage().startAnother(options);
  return { url, logLines, proxy };
}

describe('an API server that refuses', () => {
  test.each([
    ['four versions of the Cluster', { calls: clusterPatch, status: 409, times: 4 }],
    ['a single write of it with an error of its own', { calls: clusterPatch, status: 500, times: 1 }],
  ])('%s is asked again', async (_title, refusal) => {
    const { magnum, stackId } = await createCluster(stage());
    const { url, proxy } = await refusedFunction(refusal);
    acceptedStackId(await stage().send(magnum.resize('default-worker', 4), url));
    expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: 4 });
    await proxy.stop();
  });

  test.each([
    ['five versions of the Cluster', { calls: clusterPatch, status: 409, times: 5 }, 429],
    ['every write of it with an error of its own', { calls: clusterPatch, status: 500, times: 100 }, 503],
    ['the right to change it', { calls: clusterPatch, status: 403, times: 100 }, 503],
    ['the right to mark a machine', { calls: machinePatch, status: 403, times: 100 }, 503],
  ])('%s makes the sender come again, and its reason stands in the log', async (_title, refusal, status) => {
    const { magnum, stackId } = await createCluster(stage(), { workers: { node_count: 2 } });
    // Without annotations a mark goes by the version, which the managers change.
    const worker = { stackId, nodegroup: 'default-worker', annotations: { made: 'by hand' } };
    const machine = await makeMachine(stage(), worker);
    await makeMachine(stage(), worker);
    const { url, logLines, proxy } = await refusedFunction(refusal);
    const event = magnum.resize('default-worker', 1, [machine.serverId]);
    const answer = await stage().sendOnce(event, url);
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([status, true]);
    // It comes through a pipe, after the answer.
    const logged = () => logLines.filter((line) => line.includes(event.id)).join('\n');
    await vi.waitFor(() => expect(logged()).toMatch(/Cannot patch (Cluster|Machine) magnum-system/), {
      timeout: 20_000,
    });
    expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: 2 });
    await proxy.stop();
    acceptedStackId(await stage().send(event));
    expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: 1 });
    expect(await markOf(stage(), machine)).toBe(event.id);
  });
});
