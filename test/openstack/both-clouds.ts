import { OpenStackError } from 'openstack-client-ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CloudUnderTest, cloudKinds } from './cloud-under-test.ts';
import { openRealCloud } from './real-cloud-under-test.ts';
import { openSimulatedCloud } from './simulated-cloud-under-test.ts';

/** One row of a table that holds for the real cloud and for the simulated one. */
export interface CloudCase {
  /** A sentence. */
  readonly title: string;
  readonly ask: (cloud: CloudUnderTest) => Promise<unknown>;
  /** With `<id>` for each id that differs between clouds; an error as `NotFoundError not_found 404: There is no …`. */
  readonly answer: unknown;
}

/** Runs the table on both clouds, row by row in its order. */
export function onBothClouds(cases: readonly CloudCase[]): void {
  describe.each(cloudKinds)('On the %s cloud', (kind) => {
    let cloud: CloudUnderTest;

    beforeAll(async () => {
      cloud = await (kind === 'real' ? openRealCloud() : openSimulatedCloud());
    });

    afterAll(() => cloud.close());

    test.each(cases)('$title', async ({ ask, answer }) => {
      expect(await outcome(ask(cloud))).toEqual(answer);
    });
  });
}

export async function outcome(asked: Promise<unknown>): Promise<unknown> {
  try {
    return withoutIds(await asked);
  } catch (error) {
    if (error instanceof OpenStackError) return errorLine(error);
    throw error;
  }
}

/** Class, code, status and the sentence that users see. */
function errorLine(error: OpenStackError): unknown {
  return withoutIds(`${error.name} ${error.code} ${error.status ?? '-'}: ${error.message}`);
}

/** UUIDs, and Keystone's ids, which are UUIDs without hyphens. */
const ids = /[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}|\b[\da-f]{32}\b/g;

function withoutIds(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text.replaceAll(ids, '<id>'));
}
