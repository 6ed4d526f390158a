import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type EventTypeName, eventTypes } from './event-types.ts';

const folder = new URL('../../examples/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

const typeNames = Object.keys(eventTypes) as [EventTypeName, ...EventTypeName[]];
const example = z.object({
  type: z.enum(typeNames),
  subject: z.string(),
  data: z.looseObject({ cluster: z.looseObject({ uuid: z.string() }), context: z.looseObject({}) }),
});

const pair = { certificate: 'PEM', private_key: 'PEM' };
/** What never stands in a file. */
const secrets = { certificates: { ca: pair, etcd: pair, front_proxy: pair, sa: pair } };

describe('each example is an event of the contract, but for its secrets', () => {
  test.each(names)('%s', (name) => {
    const { type, subject, data } = example.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
    expect(data.context).not.toHaveProperty('token');
    expect(data).not.toHaveProperty('certificates');
    expect(data.cluster.uuid).toBe(subject);
    const complete = { ...data, ...secrets, context: { ...data.context, token: 'token' } };
    expect(eventTypes[type].schema.safeParse(complete).error).toBeUndefined();
  });
});
