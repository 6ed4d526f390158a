import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('no more works than the number run at once, in the order in which they came, and a failure frees its slot', async () => {
  const slots = new Slots(2);
  const started: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<string>());
  const works = ends.map(({ promise }, index) =>
    slots.run(() => {
      started.push(index);
      return promise;
    }),
  );
  const settled = Promise.allSettled(works);
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  ends[1]?.reject(new Error('down'));
  await expect(works[1]).rejects.toThrow('down');
  expect(started).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve('done');
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(started).toEqual([0, 1, 2, 3]);
});
