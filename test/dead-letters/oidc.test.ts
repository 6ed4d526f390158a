import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { ApiError } from '../env/kubernetes-api.ts';
import { sendEvent } from '../functions/send-event.ts';
import { withComponents } from '../knative/kustomize.ts';
import { environmentOf, servicesOf } from '../knative/services.ts';
import { deadEvent } from './dead-event.ts';
import { deadLettersStageOfFile } from './dead-letters-stage.ts';

const stage = deadLettersStageOfFile();
const objects = await withComponents('oidc');
const service = servicesOf(objects).find(({ metadata }) => metadata.name === 'magnum-dead-letters');

const accounts = '/api/v1/namespaces/magnum-system/serviceaccounts';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const collections = new Map([
  ['Role', `${rbac}/namespaces/magnum-system/roles`],
  ['RoleBinding', `${rbac}/namespaces/magnum-system/rolebindings`],
  ['ClusterRoleBinding', `${rbac}/clusterrolebindings`],
]);
/** Eventing makes this one for the Trigger magnum-reports. */
const sender = 'magnum-reports-oidc-eventing.knative.dev-trigger';
const audience = 'serving.knative.dev/service/magnum-system/magnum-dead-letters';

beforeAll(async () => {
  for (const object of objects) {
    const path = collections.get(object.kind);
    if (path !== undefined) await ensure(path, object);
  }
  await ensure(accounts, { metadata: { name: sender } });
});

async function ensure(path: string, object: object): Promise<void> {
  try {
    await stage().api.call('POST', path, object);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

const issued = z.object({ status: z.object({ token: z.string() }) });

async function tokenOf(account: string, ...audiences: readonly string[]): Promise<string> {
  const answer = await stage().api.call('POST', `${accounts}/${account}/token`, { spec: { audiences } });
  return issued.parse(answer).status.token;
}

test('with the component oidc, a letter comes with the token of its Trigger, and without is refused', async () => {
  const variables = service === undefined ? {} : environmentOf(service);
  const { url } = await stage().start({ variables });
  const event = deadEvent({ source: '/oidc' });
  expect(await sendEvent(url, event)).toMatchObject({ status: 401 });
  const elsewhere = await tokenOf(sender, 'serving.knative.dev/service/magnum-system/magnum-status');
  expect(await sendEvent(url, event, elsewhere)).toMatchObject({ status: 401 });
  expect(await sendEvent(url, event, stage().access.callerToken)).toMatchObject({ status: 401 });
  expect(await sendEvent(url, event, await tokenOf('magnum-conductor', audience))).toMatchObject({ status: 403 });
  expect(await stage().letters('/oidc')).toEqual([]);
  expect(await sendEvent(url, event, await tokenOf(sender, audience))).toMatchObject({ status: 204 });
  expect(await stage().letters('/oidc')).toHaveLength(1);
});
