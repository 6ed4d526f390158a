import type { Session } from 'openstack-client-ts';
import { inject } from 'vitest';
import * as z from 'zod';
import type { CloudUnderTest } from './cloud-under-test.ts';
import { portName } from './content.ts';
import { type OpenStackApi, openStackApi } from './openstack-api.ts';
import { passwordSessions } from './sessions.ts';

/** The shared real cloud, as a test file sees it. */
export async function openRealCloud(): Promise<CloudUnderTest> {
  const { authUrl, passwords, admin, demoId } = inject('realCloud');
  const sessions = passwordSessions(authUrl, (user) => passwords[user] ?? '');
  const demo = sessions.open('demo');
  const administrator = await openStackApi(authUrl, admin);
  return {
    kind: 'real',
    demo,
    portId: await findPort(demo),
    session: sessions.open,
    sessionWith: sessions.with,
    async sessionWithPlainUrls() {
      return sessions.open('demo', { region: 'RegionTwo' });
    },
    async setDefaultVolumeType(name) {
      const endpoint = await demo.endpoint('block-storage');
      await setProjectDefault(administrator, endpoint.replace(`/${demoId}`, ''), { project: demoId, name });
    },
    async close() {
      sessions.close();
    },
  };
}

async function findPort(session: Session): Promise<string> {
  const call = { service: 'network', method: 'GET', path: '/ports', query: { name: portName } } as const;
  const { ports } = z.object({ ports: z.array(z.object({ id: z.string() })) }).parse((await session.send(call)).body);
  return ports[0]?.id ?? '';
}

/** Without a project's own default, Cinder takes the one of its configuration. */
async function setProjectDefault(
  api: OpenStackApi,
  cinder: string,
  { project, name }: { readonly project: string; readonly name: string | null },
): Promise<void> {
  const url = `${cinder}/default-types/${project}`;
  // The first microversion that has it.
  const microversion = 'volume 3.62';
  if (name === null) {
    await api.call('DELETE', url, { microversion });
    return;
  }
  await api.call('PUT', url, { body: { default_type: { volume_type: name } }, microversion });
}
