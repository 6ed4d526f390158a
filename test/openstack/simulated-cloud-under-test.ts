import { randomUUID } from 'node:crypto';
import { hexId, makeUser } from '../cloud/openstack/default-state.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import type { CloudState } from '../cloud/openstack/state.ts';
import type { CloudUnderTest } from './cloud-under-test.ts';
import * as content from './content.ts';
import { pageLimit, serverGroupQuota } from './service-files.ts';
import { passwordSessions } from './sessions.ts';

/** The newest of Nova's release. */
const computeMicroversion = '2.104';

/** A simulated cloud with the same content as the real one. */
export async function openSimulatedCloud(): Promise<CloudUnderTest> {
  const cloud = await startSimulatedOpenStack({ pageLimit, computeMicroversion });
  const portId = randomUUID();
  fill(cloud.state, portId);
  const sessions = passwordSessions(cloud.authUrl, (user) => passwordOf(cloud, user));
  return {
    kind: 'simulated',
    demo: sessions.open('demo'),
    session: sessions.open,
    sessionWith: sessions.with,
    async sessionWithPlainUrls() {
      const session = sessions.open('demo');
      const { services } = cloud.state;
      // The catalogue comes with the sign-in.
      cloud.state.services = services.map((service) => ({ ...service, path: service.path.replace('/{project}', '') }));
      await session.authentication();
      cloud.state.services = services;
      return session;
    },
    portId,
    async setDefaultVolumeType(name) {
      cloud.state.defaultVolumeType = name ?? 'gone';
    },
    close() {
      sessions.close();
      return cloud.stop();
    },
  };
}

function passwordOf({ state }: SimulatedOpenStack, user: string): string {
  return state.users.find(({ name }) => name === user)?.password ?? '';
}

function fill(state: CloudState, portId: string): void {
  const projects = { demo: hexId(), other: hexId() };
  state.projects = Object.entries(projects).map(([name, id]) => ({ id, name }));
  state.users = Object.entries(content.users).map(([name, { project, roles }]) => {
    return makeUser(name, { [projects[project]]: [...roles] });
  });
  state.quotas.serverGroups = serverGroupQuota;
  state.services = state.services.filter(({ type }) => type !== 'shared-file-system' && type !== 'load-balancer');
  state.flavors = content.flavors.map(({ project, ...flavor }) => {
    return { ...flavor, ...(project === undefined ? {} : { projects: [projects[project]] }) };
  });
  state.images = content.images.map(({ minDisk, properties, ...image }) => {
    return {
      ...image,
      id: randomUUID(),
      owner: projects[image.owner],
      min_disk: minDisk,
      properties: { ...properties },
    };
  });
  fillNetworks(state, projects);
  const floatingIp = { address: '203.0.113.9', projectId: projects.demo };
  state.floatingIps = [
    { ...floatingIp, id: randomUUID(), description: content.floatingIps.used, portId },
    { ...floatingIp, id: randomUUID(), description: content.floatingIps.unused, portId: null },
  ];
  state.keypairs = (['demo', 'other'] as const).flatMap((owner) => {
    const userId = state.users.find(({ name }) => name === owner)?.id ?? '';
    return content.keypairs[owner].map((name) => ({ name, userId, ...content.keypair }));
  });
  state.volumeTypes = [{ name: '__DEFAULT__' }, ...content.volumeTypes].map((type) => {
    const isPrivate = 'project' in type && type.project !== undefined;
    return { id: randomUUID(), name: type.name, ...(isPrivate ? { projects: [projects[type.project]] } : {}) };
  });
  state.servers = content.servers.map(({ name, status, owner, fault }) => {
    const created = '2026-01-01T00:00:00Z';
    return { id: randomUUID(), name, status, projectId: projects[owner], fault: fault ? { ...fault, created } : null };
  });
}

function fillNetworks(state: CloudState, projects: Readonly<Record<content.ProjectName, string>>): void {
  state.networks = [];
  state.subnets = [];
  for (const { name, external, owner, subnets } of content.networks) {
    const network = { id: randomUUID(), name, external, projectId: projects[owner] };
    state.networks.push(network);
    for (const subnet of subnets) {
      state.subnets.push({ ...subnet, id: randomUUID(), networkId: network.id, projectId: projects[owner] });
    }
  }
}
