import { expect, test } from 'vitest';
import { expectNothingLeft } from '../functions/traces.ts';
import { exampleTemplate } from './example-template.ts';
import { magnumOfFile } from './magnum-of-file.ts';

const stage = magnumOfFile();
const number = 20;
/** Milliseconds for machines of twenty clusters on two cores. */
const patience = 2_400_000;

test(
  'twenty clusters that are asked for at once come up, and go at once',
  async () => {
    const { magnum, rows, system } = stage();
    const template = await magnum.createTemplate(exampleTemplate());
    const names = Array.from({ length: number }, (_, index) => `many-${index}`);
    const counts = { master_count: 1, node_count: 1 };
    const began = performance.now();
    const uuids = await Promise.all(
      names.map((name) =>
        magnum.createCluster({ name, cluster_template_id: template, keypair: 'mykey', create_timeout: 120, ...counts }),
      ),
    );
    const ended = await Promise.all(uuids.map((uuid) => rows.ended(uuid, began, patience)));
    console.info(`${number} clusters in ${Math.round((performance.now() - began) / 1000)} s`);
    expect(ended.map(({ status, status_reason }) => `${status} ${status_reason}`)).toEqual(
      uuids.map(() => 'CREATE_COMPLETE null'),
    );
    const stackIds = ended.map(({ stack_id }) => stack_id ?? '');
    expect(new Set(stackIds).size).toBe(number);
    await Promise.all(uuids.map((uuid) => magnum.deleteCluster(uuid)));
    await Promise.all(uuids.map((uuid) => magnum.untilGone(uuid, { timeout: patience })));
    for (const [index, uuid] of uuids.entries()) {
      await expectNothingLeft(system, { uuid, stackId: stackIds[index] ?? '' });
    }
  },
  2 * patience,
);
