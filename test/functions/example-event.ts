import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { clusterSnapshot } from '../../shared/magnum/snapshot.ts';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import type { ClusterCertificates } from './cluster-certificates.ts';

/** What Magnum hands over with each call. */
export const eventData = z.looseObject({
  cluster: clusterSnapshot,
  cluster_template: z.looseObject({}),
  nodegroups: z.array(z.looseObject({})),
  context: z.looseObject({}),
});

const exampleEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  subject: z.string(),
  time: z.string(),
  partitionkey: z.string(),
  data: eventData,
});

/** An event in CloudEvents' JSON format as it stands in `examples/`. */
export type ExampleEvent = z.infer<typeof exampleEvent>;

const folder = new URL('../../examples/', import.meta.url);

export async function readExample(name: string): Promise<ExampleEvent> {
  return exampleEvent.parse(JSON.parse(await readFile(new URL(name, folder), 'utf8')));
}

export interface EventSecrets {
  readonly cloud: SimulatedOpenStack;
  /** Left out for events that carry none. */
  readonly certificates?: ClusterCertificates;
  /** @default a new token of the simulated user demo */
  readonly token?: string;
}

/** The event as Magnum would send it against the simulated cloud: with its users and projects, a token and keys. */
export async function completeEvent(
  event: ExampleEvent,
  { cloud, certificates, token }: EventSecrets,
): Promise<ExampleEvent> {
  const user = cloud.state.users.find(({ name }) => name === 'demo');
  const project = cloud.state.projects.find(({ name }) => name === 'demo');
  const owner = { user_id: user?.id, project_id: project?.id };
  const secret = token ?? (await cloud.identity.signIn({ user: 'demo', project: 'demo' }));
  return {
    ...event,
    data: {
      ...event.data,
      ...(certificates === undefined ? {} : { certificates }),
      cluster: { ...event.data.cluster, ...owner },
      context: { ...event.data.context, ...owner, auth_url: cloud.authUrl, token: secret },
    },
  };
}
