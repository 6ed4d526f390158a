import * as z from 'zod';
import { type Check, type Finding, failure, goodUnless } from '../check.ts';
import { keystoneAddress } from '../cloud-config.ts';
import { askKeystone } from '../keystone-answer.ts';
import type { Surroundings } from '../surroundings.ts';

/** Seconds. Answers have whole seconds and are on their way for a while; tokens and deadlines bear much more. */
const tolerance = 30;

export const clocksCheck: Check = {
  id: 'clocks',
  description: `The clocks of the management cluster, of Keystone and of this machine are less than ${tolerance} s apart: operations are ordered, and tokens expire, by time. Run it where Magnum's conductor runs.`,
  remedy:
    'Synchronise the clock that is wrong (NTP) on the nodes of the management cluster, of OpenStack and of Magnum.',
  async run(surroundings) {
    const { api, now, signal } = surroundings;
    await api.read('/version', z.unknown(), signal);
    const server = api.serverTime();
    const here = now();
    const keystone = await keystoneTime(surroundings);
    // Keystone was asked later: both are compared with this machine at their own moment.
    const offsets = {
      'the management cluster': server === undefined ? undefined : server - here,
      Keystone: keystone,
    };
    return goodUnless(clockProblems(offsets), 'The clocks agree.');
  },
};

/** Milliseconds that Keystone's clock is before this machine's; undefined where it does not say, which another check tells. */
async function keystoneTime(surroundings: Surroundings): Promise<number | undefined> {
  try {
    const address = await keystoneAddress(surroundings);
    if (address === undefined) return undefined;
    const { time } = await askKeystone(address, surroundings.signal);
    return time === undefined ? undefined : time - surroundings.now();
  } catch {
    return undefined;
  }
}

/** @param offsets milliseconds by which clocks are before this machine's */
export function clockProblems(offsets: Readonly<Record<string, number | undefined>>): readonly Finding[] {
  const known = Object.entries({ 'this machine': 0, ...offsets }).flatMap(([whose, offset]) =>
    offset === undefined ? [] : [{ whose, offset }],
  );
  const [slowest, ...others] = known.toSorted((one, other) => one.offset - other.offset);
  const fastest = others.at(-1);
  if (slowest === undefined || fastest === undefined) return [];
  const seconds = Math.round((fastest.offset - slowest.offset) / 1_000);
  if (seconds < tolerance) return [];
  return [failure(`The clock of ${slowest.whose} is ${seconds} s behind that of ${fastest.whose}.`)];
}
