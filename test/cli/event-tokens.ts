import { fileURLToPath } from 'node:url';
import { observedTypes } from '../../cli/doctor/observed-types.ts';
import { type Manifest, readManifests } from '../../local/manifests/read-manifests.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import type { Broken, Installation } from './installation.ts';

const { knativeService, trigger, eventPolicy } = observedTypes;
const component = fileURLToPath(new URL('../../knative/components/oidc/', import.meta.url));

const service = 'magnum-status';
const audience = `serving.knative.dev/service/magnum-system/${service}`;
const triggers = ['magnum-status-objects', 'magnum-status-resync'] as const;

interface EventTokens {
  /** What of it is not there. @default nothing */
  readonly lacks?: 'account' | 'right' | 'policy';
}

/** Has a function want tokens with its events, by the component oidc, and Eventing send them, whose part the test plays. */
export async function withEventTokens(installation: Installation, { lacks }: EventTokens = {}): Promise<Broken> {
  const { create, merge, say, remove } = installation;
  const { mend: withoutVariables } = await changedContainer(installation, service, wantsTokens);
  const [access = [], [policy] = []] = await Promise.all(
    ['access.yaml', 'event-policy.yaml'].map((file) => readManifests(`${component}${file}`)),
  );
  const [role, binding] = access.filter(({ metadata }) => metadata.name === `${service}-deliver`);
  await create(eventPolicy, policy as Manifest);
  if (lacks !== 'policy') await say(eventPolicy, 'magnum-broker', { type: 'Ready', status: 'True' });
  await create(resources.role, role as Manifest);
  if (lacks !== 'right') await create(resources.roleBinding, binding as Manifest);
  for (const name of triggers) {
    await merge(trigger, name, { spec: { subscriber: { audience } } });
    const account = lacks === 'account' ? null : `${name}-oidc-eventing.knative.dev-trigger`;
    await installation.mergeStatus(trigger, name, { auth: { serviceAccountName: account } });
  }
  return {
    async mend() {
      await withoutVariables();
      for (const name of triggers) await merge(trigger, name, { spec: { subscriber: { audience: null } } });
      await remove(eventPolicy, 'magnum-broker');
      await remove(resources.role, `${service}-deliver`);
      if (lacks !== 'right') await remove(resources.roleBinding, `${service}-deliver`);
    },
  };
}

export function wantsTokens(container: object): object {
  const env = [
    { name: 'BROKER_AUTH', value: 'oidc' },
    { name: 'BROKER_AUDIENCE', value: audience },
  ];
  return { ...container, env };
}

/** Changes the container of a function. */
export async function changedContainer(
  { read, merge }: Installation,
  name: string,
  change: (container: object) => object,
): Promise<Broken> {
  const { spec } = await read(knativeService, name);
  const { template } = Object(spec);
  const containers = template.spec.containers.map(change);
  await merge(knativeService, name, { spec: { template: { spec: { containers } } } });
  return { mend: () => merge(knativeService, name, { spec: { template } }) };
}
