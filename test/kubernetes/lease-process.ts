import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { withLease } from '../../shared/kubernetes/lease.ts';
import { resources } from '../../shared/kubernetes/resources.ts';

/** A process that works on a Secret under a Lease, as a function works on a Cluster; see fork-lease-process.ts. */

/** Passed as JSON in the first argument. */
export interface LeaseProcessOptions {
  readonly server: string;
  readonly caCertificate: string;
  readonly adminToken: string;
  readonly namespace: string;
  /** Name of the Lease and of the Secret. */
  readonly name: string;
  readonly durationSeconds: number;
  /** `count` adds to the Secret's number again and again; `hold` keeps the Lease and writes when told to. */
  readonly task: { readonly kind: 'count'; readonly rounds: number } | { readonly kind: 'hold' };
}

/** `write` as the driver does, `write-unchecked` as if it had been paused after the check. */
export type HolderCommand = 'write' | 'write-unchecked' | 'end';

const options: LeaseProcessOptions = JSON.parse(process.argv[2] ?? '');
const { server, caCertificate, namespace, name, durationSeconds, task } = options;
const client = createKubernetesClient({ server, caCertificate, token: async () => options.adminToken });
const lease = { namespace, name, durationSeconds, waitMs: 60_000 };
await (task.kind === 'count' ? count(client, task.rounds) : hold(client));
client.close();
process.disconnect?.();

async function count(kubernetes: KubernetesClient, rounds: number): Promise<void> {
  // All begin together, or they would take turns by chance.
  process.send?.('ready');
  await once(process, 'message');
  for (let round = 0; round < rounds; round++) {
    await withLease(kubernetes, lease, async () => {
      const secret = await kubernetes.get(resources.secret, { namespace, name });
      // Without the Lease another process would write in between and its addition would be lost.
      await delay(10);
      const value = Buffer.from(String(numberIn(secret.data) + 1)).toString('base64');
      await kubernetes.patch(
        resources.secret,
        { namespace, name },
        { operations: [{ op: 'add', path: '/data/number', value }] },
      );
    });
  }
}

function numberIn(data: Readonly<Record<string, string>> | undefined): number {
  return Number(Buffer.from(data?.['number'] ?? '', 'base64').toString());
}

async function hold(kubernetes: KubernetesClient): Promise<void> {
  await withLease(kubernetes, lease, async ({ assertHeld }) => {
    const secret = await kubernetes.get(resources.secret, { namespace, name });
    const write = async (check: () => void) => {
      check();
      const operations = [{ op: 'add', path: '/data/writer', value: 'aG9sZGVy' }] as const;
      const { resourceVersion } = secret.metadata ?? {};
      await kubernetes.patch(resources.secret, { namespace, name }, { operations, resourceVersion });
    };
    process.send?.('held');
    await new Promise<void>((resolve) => {
      process.on('message', async (command: HolderCommand) => {
        if (command === 'end') return resolve();
        const outcome = await write(command === 'write' ? assertHeld : () => undefined).then(
          () => 'written',
          (error: Error) => error.name,
        );
        process.send?.(outcome);
      });
    });
  });
}
