import {
  createServerGroup,
  deleteServerGroup,
  findServerGroup,
  listServerGroups,
  type ServerGroup,
  type ServerGroupPolicy,
  type Session,
} from 'openstack-client-ts';
import * as z from 'zod';
import { onBothClouds } from './both-clouds.ts';
import type { CloudUnderTest } from './cloud-under-test.ts';
import { serverGroupQuota } from './service-files.ts';

const policies: readonly ServerGroupPolicy[] = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'];

function shown({ name, policy, members }: ServerGroup) {
  return { name, policy, members };
}

function created(policy: ServerGroupPolicy) {
  return async ({ demo }: CloudUnderTest) => shown(await createServerGroup(demo, { name: `group ${policy}`, policy }));
}

/** Names of the groups that a user gets who asks for those of all projects. */
async function ofAllProjects(session: Session): Promise<readonly string[]> {
  const call = { service: 'compute', method: 'GET', path: '/os-server-groups' } as const;
  const { body } = await session.send({ ...call, query: { all_projects: 'True' } });
  const { server_groups } = z.object({ server_groups: z.array(z.object({ name: z.string() })) }).parse(body);
  return server_groups.map(({ name }) => name);
}

/** A call as older or newer clients make it. */
function post(version: `2.${number}`, server_group: unknown) {
  return async ({ demo }: CloudUnderTest) => {
    const call = { service: 'compute', method: 'POST', path: '/os-server-groups', microversion: version } as const;
    return (await demo.send({ ...call, body: { server_group } })).body;
  };
}

async function deleteAll({ demo }: CloudUnderTest): Promise<unknown> {
  const groups = await listServerGroups(demo);
  return Promise.all(groups.map(({ id }) => deleteServerGroup(demo, id)));
}

onBothClouds([
  { title: 'there is none at first', ask: ({ demo }) => listServerGroups(demo), answer: [] },
  ...policies.map((policy) => ({
    title: `a group of ${policy} is made`,
    ask: created(policy),
    answer: { name: `group ${policy}`, policy, members: [] },
  })),
  {
    title: 'a group is found by name',
    ask: async ({ demo }) => shown(await findServerGroup(demo, 'group affinity')),
    answer: { name: 'group affinity', policy: 'affinity', members: [] },
  },
  {
    title: 'a group is found by id',
    ask: async ({ demo }) => {
      const { id } = await findServerGroup(demo, 'group affinity');
      return shown(await findServerGroup(demo, id));
    },
    answer: { name: 'group affinity', policy: 'affinity', members: [] },
  },
  {
    title: 'a second group of a name is made',
    ask: created('affinity'),
    answer: { name: 'group affinity', policy: 'affinity', members: [] },
  },
  {
    title: 'two of one name are ambiguous',
    ask: ({ demo }) => findServerGroup(demo, 'group affinity'),
    answer:
      'AmbiguousError ambiguous -: There are 2 server groups with the name "group affinity": give the id instead (<id>, <id>).',
  },
  {
    title: 'an unknown group is named',
    ask: ({ demo }) => findServerGroup(demo, 'none'),
    answer: 'NotFoundError not_found -: There is no server group with the name or id "none".',
  },
  {
    title: 'a name of any characters is taken',
    ask: async ({ demo }) => {
      const { id } = await createServerGroup(demo, { name: 'größe: "1"/2', policy: 'affinity' });
      return [shown(await findServerGroup(demo, 'größe: "1"/2')), await deleteServerGroup(demo, id)];
    },
    answer: [{ name: 'größe: "1"/2', policy: 'affinity', members: [] }, true],
  },
  {
    title: 'a group is deleted once',
    ask: async ({ demo }) => {
      const { id } = await findServerGroup(demo, 'group anti-affinity');
      return [await deleteServerGroup(demo, id), await deleteServerGroup(demo, id)];
    },
    answer: [true, false],
  },
  { title: 'what is no id is not there to delete', ask: ({ demo }) => deleteServerGroup(demo, 'none'), answer: false },
  {
    title: "another project's group is neither seen nor deleted",
    ask: async ({ demo, session }) => {
      const other = session('other');
      const { id } = await createServerGroup(other, { name: 'foreign', policy: 'affinity' });
      const seen = (await listServerGroups(demo)).filter(({ name }) => name === 'foreign').length;
      return [seen, await deleteServerGroup(demo, id), await deleteServerGroup(other, id)];
    },
    answer: [0, false, true],
  },
  {
    title: 'an administrator gets those of all projects where he asks for them',
    ask: async ({ session }) => {
      const operator = session('operator');
      return [(await listServerGroups(operator)).length, (await ofAllProjects(operator)).includes('group affinity')];
    },
    answer: [0, true],
  },
  {
    title: 'others get their own where they ask for those of all projects',
    ask: ({ session }) => ofAllProjects(session('other')),
    answer: [],
  },
  {
    title: "an administrator deletes another project's group",
    ask: async ({ demo, session }) => {
      const { id } = await createServerGroup(demo, { name: 'doomed', policy: 'affinity' });
      return [await deleteServerGroup(session('operator'), id), await deleteServerGroup(demo, id)];
    },
    answer: [true, false],
  },
  {
    title: 'more than a page is listed',
    ask: async ({ demo }) => {
      for (let count = (await listServerGroups(demo)).length; count < serverGroupQuota; count++) {
        await createServerGroup(demo, { name: `more ${count}`, policy: 'affinity' });
      }
      return (await listServerGroups(demo)).length;
    },
    answer: 12,
  },
  {
    title: 'a used-up quota is a quota error',
    ask: created('affinity'),
    answer: 'QuotaError quota_exceeded 403: OpenStack compute answered 403: Quota exceeded, too many server groups.',
  },
  {
    title: 'every group is deleted',
    ask: deleteAll,
    answer: [true, true, true, true, true, true, true, true, true, true, true, true],
  },
  {
    title: 'at 2.64 a policy is one word',
    ask: post('2.64', { name: 'x', policy: 'soft-affinity' }),
    answer: {
      server_group: {
        id: '<id>',
        name: 'x',
        policy: 'soft-affinity',
        rules: {},
        members: [],
        project_id: '<id>',
        user_id: '<id>',
      },
    },
  },
  {
    title: 'at 2.64 a rule is taken',
    ask: post('2.64', { name: 'x', policy: 'anti-affinity', rules: { max_server_per_host: 1 } }),
    answer: {
      server_group: {
        id: '<id>',
        name: 'x',
        policy: 'anti-affinity',
        rules: { max_server_per_host: 1 },
        members: [],
        project_id: '<id>',
        user_id: '<id>',
      },
    },
  },
  {
    title: 'at 2.64 a list of policies is refused',
    ask: post('2.64', { name: 'x', policies: ['affinity'] }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for field/attribute server_group. Value: {'name': 'x', 'policies': ['affinity']}. 'policy' is a required property.",
  },
  {
    title: 'at 2.15 a policy is a list',
    ask: post('2.15', { name: 'x', policies: ['soft-affinity'] }),
    answer: {
      server_group: {
        id: '<id>',
        name: 'x',
        policies: ['soft-affinity'],
        metadata: {},
        members: [],
        project_id: '<id>',
        user_id: '<id>',
      },
    },
  },
  {
    title: 'at 2.15 one word is refused',
    ask: post('2.15', { name: 'x', policy: 'affinity' }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for field/attribute server_group. Value: {'name': 'x', 'policy': 'affinity'}. 'policies' is a required property.",
  },
  {
    title: 'at 2.14 a soft policy is refused',
    ask: post('2.14', { name: 'x', policies: ['soft-affinity'] }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for field/attribute 0. Value: soft-affinity. 'soft-affinity' is not one of ['anti-affinity', 'affinity'].",
  },
  {
    title: 'at 2.1 a group shows less',
    ask: post('2.1', { name: 'x', policies: ['affinity'] }),
    answer: { server_group: { id: '<id>', name: 'x', policies: ['affinity'], metadata: {}, members: [] } },
  },
  {
    title: 'two policies are refused',
    ask: post('2.15', { name: 'x', policies: ['affinity', 'anti-affinity'] }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for field/attribute policies. Value: ['affinity', 'anti-affinity']. ['affinity', 'anti-affinity'] is too long.",
  },
  {
    title: 'an unknown policy is refused',
    ask: post('2.64', { name: 'x', policy: 'none' }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for field/attribute policy. Value: none. 'none' is not one of ['anti-affinity', 'affinity', 'soft-anti-affinity', 'soft-affinity'].",
  },
  {
    title: 'a group without a name is refused',
    ask: post('2.64', { policy: 'affinity' }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for field/attribute server_group. Value: {'policy': 'affinity'}. 'name' is a required property.",
  },
  {
    title: 'an empty name is refused',
    ask: post('2.64', { name: '', policy: 'affinity' }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for field/attribute name. Value: . '' should be non-empty.",
  },
  {
    title: 'an unknown field is refused',
    ask: post('2.64', { name: 'x', policy: 'affinity', size: 1 }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for field/attribute server_group. Value: {'name': 'x', 'policy': 'affinity', 'size': 1}. Additional properties are not allowed ('size' was unexpected).",
  },
  {
    title: 'a microversion beyond the newest is refused',
    ask: post('2.9999', { name: 'x', policy: 'affinity' }),
    answer:
      'BadRequestError bad_request 406: OpenStack compute answered 406: Version 2.9999 is not supported by the API. Minimum is 2.1 and maximum is 2.104.',
  },
  {
    title: 'a name of more than 255 characters is refused',
    ask: post('2.64', { name: 'x'.repeat(256), policy: 'affinity' }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for field/attribute name. Value: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx. 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
  },
  {
    title: 'a reader may list',
    ask: async ({ session }) => (await listServerGroups(session('viewer'))).length,
    answer: 4,
  },
  {
    title: 'a reader may not make one',
    ask: ({ session }) => createServerGroup(session('viewer'), { name: 'x', policy: 'affinity' }),
    answer:
      "PermissionError permission_denied 403: OpenStack compute answered 403: Policy doesn't allow os_compute_api:os-server-groups:create to be performed.",
  },
  {
    title: 'a reader may not delete one',
    ask: async ({ demo, session }) => deleteServerGroup(session('viewer'), (await listServerGroups(demo))[0]?.id ?? ''),
    answer:
      "PermissionError permission_denied 403: OpenStack compute answered 403: Policy doesn't allow os_compute_api:os-server-groups:delete to be performed.",
  },
  {
    title: 'a user without a known role may not list',
    ask: ({ session }) => listServerGroups(session('stranger')),
    answer:
      "PermissionError permission_denied 403: OpenStack compute answered 403: Policy doesn't allow os_compute_api:os-server-groups:index to be performed.",
  },
  { title: 'nothing is left', ask: deleteAll, answer: [true, true, true, true] },
]);
