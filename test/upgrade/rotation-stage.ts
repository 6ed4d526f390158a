import { load } from 'js-yaml';
import { expect } from 'vitest';
import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import { readCloudConfigRecord } from '../../shared/render/cloud-config.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import type { User } from '../cloud/openstack/state.ts';
import { waitFor } from '../env/wait-for.ts';
import type { ClusterChanges } from '../functions/create-event.ts';
import { type CreatedCluster, createCluster } from '../functions/created-cluster.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { objectsOf } from '../functions/live-objects.ts';

/** A cluster that demo has created. */
export async function ownedCluster(stage: FunctionStage, changes: ClusterChanges = {}): Promise<CreatedCluster> {
  const token = await stage.cloud.identity.signIn({ user: 'demo', project: 'demo' });
  return createCluster(stage, { ...changes, token });
}

/** A user of the project demo who has the keypair of the machines. */
export async function colleague(cloud: SimulatedOpenStack, name: string): Promise<User> {
  const user = await cloud.identity.addUser({ name, project: 'demo', roles: ['member'] });
  const [keypair] = cloud.state.keypairs;
  if (keypair === undefined) throw new Error('The cloud has a keypair.');
  cloud.state.keypairs.push({ ...keypair, userId: user.id });
  return user;
}

/** The event by which a user rotates the credential of a cluster. */
export async function rotationBy(
  cloud: SimulatedOpenStack,
  { magnum }: CreatedCluster,
  user: Pick<User, 'id' | 'name'> = owner(cloud),
): Promise<ExampleEvent> {
  const token = await cloud.identity.signIn({ user: user.name, project: 'demo' });
  return magnum.rotateCredential({ token, userId: user.id });
}

export function owner(cloud: SimulatedOpenStack): User {
  const demo = cloud.state.users.find(({ name }) => name === 'demo');
  if (demo === undefined) throw new Error('The cloud has a user demo.');
  return demo;
}

/** The Secret by which CAPO signs in, and its record. */
export async function cloudConfigOf({ kubernetes }: FunctionStage, stackId: string) {
  const secret = await kubernetes.get(resources.secret, { namespace, name: `${stackId}-cloud-config` });
  const record = readCloudConfigRecord(secret);
  if (record === null) throw new Error('The Secret has no record.');
  return { object: secret, record, ...credentialIn(secret) };
}

const cloudsYaml = z.object({
  clouds: z.object({
    default: z.object({
      auth: z.object({ application_credential_id: z.string(), application_credential_secret: z.string() }),
    }),
  }),
});

function credentialIn(secret: { readonly data?: Readonly<Record<string, string>> }) {
  const text = Buffer.from(secret.data?.['clouds.yaml'] ?? '', 'base64').toString('utf8');
  const { auth } = cloudsYaml.parse(load(text)).clouds.default;
  return { id: auth.application_credential_id, secret: auth.application_credential_secret };
}

/** Ids of the credentials of a cluster that users of the cloud have. */
export async function credentialsOf({ identity, state }: SimulatedOpenStack, uuid: string): Promise<string[]> {
  const lists = await Promise.all(state.users.map(({ id }) => identity.credentialsOf(id)));
  return lists.flat().flatMap(({ id, name }) => (name.startsWith(uuid) ? [id] : []));
}

/** Expects that the Secret holds the only credential that the cluster has, and that Keystone accepts it. */
export async function expectOneCredential(stage: FunctionStage, { stackId, magnum }: CreatedCluster): Promise<void> {
  const { id, record } = await cloudConfigOf(stage, stackId);
  expect(record).toMatchObject({ applicationCredentialId: id, replacedCredentials: [], uuid: magnum.uuid });
  expect(await credentialsOf(stage.cloud, magnum.uuid)).toEqual([id]);
  await expectSignIn(stage, stackId);
}

/** Expects that CAPO can act as the cluster, in its project. */
export async function expectSignIn(stage: FunctionStage, stackId: string): Promise<void> {
  const { record, id, secret } = await cloudConfigOf(stage, stackId);
  expect(await stage.cloud.identity.credentialProject({ id, secret })).toBe(record.projectId);
}

/** UIDs and generations of all that a machine is made from; Cluster API rebuilds machines where one of them changes. */
export async function machineParts({ kubernetes }: FunctionStage, stackId: string): Promise<unknown> {
  const { cluster, kubeadmControlPlane, machineDeployment, machine, openStackMachineTemplate } = resources;
  const types = [cluster, kubeadmControlPlane, machineDeployment, machine, openStackMachineTemplate];
  const lists = await Promise.all(types.map((type) => objectsOf(kubernetes, type, stackId)));
  return lists.flat().map(({ metadata }) => [metadata?.name, metadata?.uid, metadata?.generation]);
}

/** The report that Magnum gets when it asks: the status function carries a rotation on whenever it is asked. */
export async function statusAsked(stage: FunctionStage, { magnum }: CreatedCluster): Promise<unknown> {
  const answer = await stage.send(magnum.requestStatus('UPDATE_IN_PROGRESS'));
  expect(answer).toMatchObject({ status: 200 });
  return answer.data;
}

/** Asks for the status until a rotation is carried out: each look does one step of it. */
export function untilRotated(stage: FunctionStage, cluster: CreatedCluster): Promise<void> {
  const probe = async () => {
    await statusAsked(stage, cluster);
    const { record } = await cloudConfigOf(stage, cluster.stackId);
    expect(record.replacedCredentials).toEqual([]);
  };
  return waitFor(probe, { what: `the end of the rotation of ${cluster.stackId}`, timeout: 60_000 });
}
