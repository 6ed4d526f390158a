import { afterAll, beforeAll } from 'vitest';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import type { ApiProxy } from '../functions/api-proxy.ts';
import type { FunctionProcess } from '../functions/function-process.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { startKillingProxy } from '../functions/killing-proxy.ts';

/** A function as a process of its own, whose calls of the real API server are counted. */
export interface AttackedFunction {
  readonly process: FunctionProcess;
  readonly port: number;
  /** Calls since the last time that this was asked, by the last part of their paths. */
  takeCalls(): string[];
}

/** Heap that Node allows itself where its pod has 256 MiB; here it would let garbage lie until the machine is full. */
const asInPod = { NODE_OPTIONS: '--max-old-space-size=128' };

/** @throws Error before the tests run */
export function attackedFunction(stage: () => FunctionStage, name: FunctionName): () => AttackedFunction {
  let proxy: ApiProxy | undefined;
  let attacked: AttackedFunction | undefined;
  const calls: string[] = [];
  beforeAll(async () => {
    const { server, caCertificate } = stage().controlPlane;
    const onCall = (call: string) => void calls.push(/([^/?]*)(?:\?|$)/.exec(call)?.[1] ?? call);
    proxy = await startKillingProxy({ server, caCertificate, onCall });
    const address = { server: proxy.server, caCertificate: proxy.caCertificate };
    const variables = { ...stage().environment, ...asInPod };
    const process = await stage().startAnother({ name, ...address, variables });
    attacked = { process, port: Number(new URL(process.url).port), takeCalls: () => calls.splice(0) };
  });
  afterAll(async () => {
    await attacked?.process.stop();
    await proxy?.stop();
  });
  return () => {
    if (attacked === undefined) throw new Error('The function is there only while tests run.');
    return attacked;
  };
}
