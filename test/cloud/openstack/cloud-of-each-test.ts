import type { Session } from 'openstack-client-ts';
import { afterEach, beforeEach } from 'vitest';
import { demoSession } from './demo-session.ts';
import {
  type SimulatedOpenStack,
  type SimulatedOpenStackOptions,
  startSimulatedOpenStack,
} from './simulated-openstack.ts';

/** Both are there only while a test runs. */
export interface CloudOfTest {
  readonly cloud: SimulatedOpenStack;
  /** Of the user demo. */
  readonly session: Session;
}

/**
 * Starts a simulated OpenStack for each test of a file, with a session on it.
 * @param sessionOptions of the session, beside how it signs in
 */
export function cloudOfEachTest(
  options: SimulatedOpenStackOptions = {},
  sessionOptions: Parameters<typeof demoSession>[1] = {},
): CloudOfTest {
  let running: CloudOfTest | undefined;
  beforeEach(async () => {
    const cloud = await startSimulatedOpenStack(options);
    running = { cloud, session: demoSession(cloud, sessionOptions) };
  });
  afterEach(async () => {
    running?.session.close();
    await running?.cloud.stop();
  });
  const current = () => {
    if (running === undefined) throw new Error('The cloud is there only while tests run.');
    return running;
  };
  return {
    get cloud() {
      return current().cloud;
    },
    get session() {
      return current().session;
    },
  };
}
