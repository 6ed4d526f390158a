import { afterAll, describe, expect, test } from 'vitest';
import { processUsage } from '../bench/process-usage.ts';
import { createEvent } from '../functions/create-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { attackedFunction } from './attacked-function.ts';
import { attributes } from './hostile-attributes.ts';

const stage = stageOfFile();
const attacked = attackedFunction(stage, 'create');

const withData = (data: string) => JSON.stringify({ ...attributes, data: 0 }).replace('"data":0', `"data":${data}`);

/** As much as the host reads. */
const most = 1_000_000;
const times = (text: string) => text.repeat(Math.floor(most / text.length));
const keys = Array.from({ length: 80_000 }, (_, index) => `"k${index}":0`).join(',');

/** A rejection of many faults, which are all told at once. */
const manyFaults = JSON.stringify({ nodegroups: Array.from({ length: 20_000 }, () => ({ name: 1, role: [] })) });

async function send(body: string): Promise<number> {
  const headers = {
    'content-type': 'application/cloudevents+json',
    authorization: `Bearer ${stage().access.callerToken}`,
  };
  const answer = await fetch(attacked().process.url, { method: 'POST', headers, body });
  expect((await answer.text()).length).toBeLessThan(5000);
  return answer.status;
}

const count = 10;
/** Seconds of processor time for one request: one that is in order costs more. */
const budget = 0.25;

describe('a sender with every right gets no more processor time than one that means well', () => {
  test.each([
    ['arrays in arrays', withData(times('['))],
    ['arrays in arrays that end', withData('['.repeat(most / 2) + ']'.repeat(most / 2))],
    ['objects in objects', withData(times('{"a":'))],
    ['as many keys as there is room for', withData(`{${keys}}`)],
    ['as many numbers as there is room for', withData(`[${times('1,')}1]`)],
    ['a number of a million digits', withData(times('9'))],
    ['a text of a million escapes', withData(`"${times('\\u0000')}"`)],
    ['as many faults as there is room for', withData(manyFaults)],
    [
      'as many attributes as there is room for',
      JSON.stringify(attributes).replace('{', `{${keys.replaceAll(':0', ':"x"')},`),
    ],
    ['spaces', times(' ')],
  ])('by %s', async (_title, body) => {
    // Without what it costs to get to know the sender, and to compile.
    expect(await send(body)).toBe(400);
    attacked().takeCalls();
    const before = await processUsage(attacked().process.pid);
    for (let sent = 0; sent < count; sent += 1) expect(await send(body)).toBe(400);
    const { processor } = await processUsage(attacked().process.pid);
    expect((processor - before.processor) / count).toBeLessThan(budget);
    // On a busy machine it takes longer than a token is known.
    for (const call of attacked().takeCalls()) expect(['tokenreviews', 'subjectaccessreviews']).toContain(call);
  });
});

afterAll(async () => {
  expect(await stage().send(await createEvent(stage().cloud), attacked().process.url)).toMatchObject({ status: 200 });
});
