import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import * as content from './content.ts';
import { type OpenStackApi, openStackApi } from './openstack-api.ts';
import type { RealIdentity } from './provision-identity.ts';
import type { RealCloud } from './real-cloud.ts';
import { configurationFile } from './service-files.ts';

interface Provisioning {
  readonly cloud: RealCloud;
  readonly identity: RealIdentity;
  /** The administrator. */
  readonly admin: OpenStackApi;
  /** A member of each project. */
  readonly members: Readonly<Record<content.ProjectName, OpenStackApi>>;
}

/** Makes what the content lists, in the real services. */
export async function provisionServices(cloud: RealCloud, identity: RealIdentity): Promise<void> {
  const { authUrl, admin } = cloud.keystone;
  const member = (project: content.ProjectName) => {
    return openStackApi(authUrl, { name: project, password: identity.passwords[project], project });
  };
  const provisioning = {
    cloud,
    identity,
    admin: await openStackApi(authUrl, { ...admin, project: admin.name }),
    members: { demo: await member('demo'), other: await member('other') },
  };
  const nova = async () => {
    await createFlavors(provisioning);
    await createKeypairs(provisioning);
    await createServers(provisioning);
  };
  const steps = [nova, createImages, createNetworks, createVolumeTypes];
  await Promise.all(steps.map((step) => step(provisioning)));
}

async function createFlavors({ cloud, identity, admin }: Provisioning): Promise<void> {
  const url = `${cloud.urls.compute}/v2.1/flavors`;
  for (const { project, ephemeral = 0, swap = 0, ...fields } of content.flavors) {
    const access = {
      'OS-FLV-EXT-DATA:ephemeral': ephemeral,
      swap,
      'os-flavor-access:is_public': project === undefined,
    };
    await admin.call('POST', url, { body: { flavor: { ...fields, ...access } } });
    if (project === undefined) continue;
    const addTenantAccess = { tenant: identity.projects[project] };
    await admin.call('POST', `${url}/${encodeURIComponent(fields.id)}/action`, { body: { addTenantAccess } });
  }
}

/** Names with @ and dots came with 2.92. */
async function createKeypairs({ cloud, members }: Provisioning): Promise<void> {
  const url = `${cloud.urls.compute}/v2.1/os-keypairs`;
  for (const [owner, names] of [
    [members.demo, content.keypairs.demo] as const,
    [members.other, content.keypairs.other] as const,
  ]) {
    for (const name of names) {
      const keypair = { name, public_key: content.keypair.publicKey, type: 'ssh' };
      await owner.call('POST', url, { body: { keypair }, microversion: 'compute 2.92' });
    }
  }
}

async function createServers({ cloud, identity }: Provisioning): Promise<void> {
  const script = fileURLToPath(new URL('seed-servers.py', import.meta.url));
  const configuration = configurationFile(cloud.folder, 'nova');
  const data = [JSON.stringify(identity.projects), JSON.stringify(content.servers)];
  const args = [script, configuration, ...data];
  await cloud.processes.run({ name: 'seed-servers', command: join(cloud.python, 'bin', 'python'), args });
}

const withId = z.object({ id: z.string() });

async function createImages({ cloud, admin, members, identity }: Provisioning): Promise<void> {
  const url = `${cloud.urls.image}/v2/images`;
  for (const { name, minDisk, status, visibility, owner, properties } of content.images) {
    const format = { disk_format: 'raw', container_format: 'bare' };
    const body = { name, min_disk: minDisk, visibility, owner: identity.projects[owner], ...format, ...properties };
    // Only an administrator may make a public image, or one of another project.
    const { id } = withId.parse(await admin.call('POST', url, { body }));
    if (status !== 'queued') await members[owner].call('PUT', `${url}/${id}/file`, { body: Buffer.from('image') });
    if (status === 'deactivated') await admin.call('POST', `${url}/${id}/actions/deactivate`);
  }
}

async function createNetworks(provisioning: Provisioning): Promise<void> {
  const { identity } = provisioning;
  const ids = new Map<string, { readonly network: string; readonly subnets: readonly string[] }>();
  for (const { name, external, owner, subnets } of content.networks) {
    const project = { project_id: identity.projects[owner] };
    const network = await create(provisioning, 'network', { name, 'router:external': external, ...project });
    const made: string[] = [];
    for (const fields of subnets) {
      const ip_version = fields.cidr.includes(':') ? 6 : 4;
      made.push(await create(provisioning, 'subnet', { ...fields, ip_version, network_id: network, ...project }));
    }
    // The content's first external network and the tenant network of the same name are told apart by their subnets.
    if (subnets.length > 0) ids.set(name, { network, subnets: made });
  }
  const [outside, inside] = [ids.get('public'), ids.get('private')];
  if (outside !== undefined && inside !== undefined) await createFloatingIps(provisioning, { outside, inside });
}

interface NetworkIds {
  readonly network: string;
  readonly subnets: readonly string[];
}

async function createFloatingIps(
  provisioning: Provisioning,
  { outside, inside }: { readonly outside: NetworkIds; readonly inside: NetworkIds },
): Promise<void> {
  const { admin, cloud, identity } = provisioning;
  const project = { project_id: identity.projects.demo };
  const gateway = { external_gateway_info: { network_id: outside.network } };
  const router = await create(provisioning, 'router', { name: 'router', ...gateway, ...project });
  const interfaceUrl = `${cloud.urls.network}/v2.0/routers/${router}/add_router_interface`;
  await admin.call('PUT', interfaceUrl, { body: { subnet_id: inside.subnets[0] } });
  const address = { fixed_ips: [{ subnet_id: inside.subnets[0] }] };
  const port = { name: content.portName, network_id: inside.network, ...address, ...project };
  const port_id = await create(provisioning, 'port', port);
  const floating = { floating_network_id: outside.network, ...project };
  await create(provisioning, 'floatingip', { ...floating, description: content.floatingIps.used, port_id });
  await create(provisioning, 'floatingip', { ...floating, description: content.floatingIps.unused });
}

/** Makes one thing of Neutron, as the administrator; returns its id. */
async function create({ cloud, admin }: Provisioning, kind: string, fields: Record<string, unknown>): Promise<string> {
  const answer = await admin.call('POST', `${cloud.urls.network}/v2.0/${kind}s`, { body: { [kind]: fields } });
  return z.record(z.string(), withId).parse(answer)[kind]?.id ?? '';
}

async function createVolumeTypes({ cloud, admin, identity }: Provisioning): Promise<void> {
  const url = `${cloud.urls.volume}/v3/types`;
  for (const { name, project } of content.volumeTypes) {
    const volume_type = { name, 'os-volume-type-access:is_public': project === undefined };
    const created = z.object({ volume_type: withId }).parse(await admin.call('POST', url, { body: { volume_type } }));
    if (project === undefined) continue;
    const addProjectAccess = { project: identity.projects[project] };
    await admin.call('POST', `${url}/${created.volume_type.id}/action`, { body: { addProjectAccess } });
  }
}
