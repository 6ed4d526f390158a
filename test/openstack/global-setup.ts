import type { TestProject } from 'vitest/node';
import type { PasswordLogin } from '../cloud/keystone/keystone-api.ts';
import { provisionIdentity } from './provision-identity.ts';
import { provisionServices } from './provision-services.ts';
import { startRealCloud } from './real-cloud.ts';

/** What a test file gets of the real cloud, by `inject('realCloud')`. */
export interface SharedRealCloud {
  readonly authUrl: string;
  readonly passwords: Readonly<Record<string, string>>;
  readonly admin: PasswordLogin;
  /** Of the project demo. */
  readonly demoId: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly realCloud: SharedRealCloud;
  }
}

/** Starts the real services once for all test files of a run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const began = performance.now();
  const print = (line: string) => {
    process.stderr.write(`openstack: ${Math.round((performance.now() - began) / 1000)} s ${line}\n`);
  };
  const cloud = await startRealCloud({ onProgress: print });
  try {
    print('making users, flavors, images, networks, volume types and servers');
    const { passwords, projects } = await provisionIdentity(cloud);
    await provisionServices(cloud, { passwords, projects });
    const { authUrl, admin } = cloud.keystone;
    const login = { ...admin, project: admin.name };
    project.provide('realCloud', { authUrl, passwords, admin: login, demoId: projects.demo });
    print('ready');
  } catch (error) {
    await cloud.stop({ keep: true });
    throw error;
  }
  return () => cloud.stop({ keep: project.vitest.state.getCountOfFailedTests() > 0 });
}
