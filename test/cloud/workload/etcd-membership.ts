import * as z from 'zod';
import { ApiError, type KubernetesApi } from '../../env/kubernetes-api.ts';
import { waitFor } from '../../env/wait-for.ts';

/** What a new member is told of the others. */
export interface InitialCluster {
  readonly state: 'new' | 'existing';
  /** `<name>=<peer URL>`, joined by commas. */
  readonly peers: string;
}

interface NewMember {
  readonly node: string;
  readonly peerUrl: string;
  /** Members whose processes run. */
  readonly live: readonly KubernetesApi[];
}

/** etcd's JSON gateway leaves the name of a member out until it has started. */
const memberList = z.object({
  members: z.array(
    z.object({
      ID: z.string(),
      name: z.string().default(''),
      peerURLs: z.array(z.string()),
      isLearner: z.boolean().default(false),
    }),
  ),
});
type MemberList = z.infer<typeof memberList>['members'];

/** Milliseconds between two attempts to change the members; etcd refuses while one of them is young or unreachable. */
const changeInterval = 500;

export function firstMember(node: string, peerUrl: string): InitialCluster {
  return { state: 'new', peers: `${node}=${peerUrl}` };
}

/** Tells the live members of a new one, which counts for no quorum until it is promoted; kubeadm does the same. */
export async function announceMember({ node, peerUrl, live }: NewMember): Promise<InitialCluster> {
  const members = await waitFor(() => firstAnswer(live, (api) => addMember(api, peerUrl)), {
    what: `etcd to take ${node}`,
    interval: changeInterval,
  });
  // A member that has not started has no name, which the new one may choose.
  const nameOf = ({ name, peerURLs, ID }: MemberList[number]) =>
    name || (peerURLs.includes(peerUrl) ? node : `member-${ID}`);
  const peers = members.flatMap((member) => member.peerURLs.map((url) => `${nameOf(member)}=${url}`));
  return { state: 'existing', peers: peers.join(',') };
}

/**
 * Lets a member vote, unless it does.
 * @throws while it has not caught up.
 */
export async function promoteMember({ peerUrl, live }: Omit<NewMember, 'node'>): Promise<void> {
  await firstAnswer(live, async (api) => {
    const { members } = await call(api, '/v3/cluster/member/list', {});
    const learner = members.find(({ peerURLs, isLearner }) => isLearner && peerURLs.includes(peerUrl));
    if (learner !== undefined) {
      await call(api, '/v3/cluster/member/promote', { ID: learner.ID });
    }
  });
}

/** Adds a member, unless an attempt whose answer was lost has done so. */
async function addMember(api: KubernetesApi, peerUrl: string): Promise<MemberList> {
  const { members } = await call(api, '/v3/cluster/member/list', {});
  return members.some(({ peerURLs }) => peerURLs.includes(peerUrl))
    ? members
    : (await call(api, '/v3/cluster/member/add', { peerURLs: [peerUrl], isLearner: true })).members;
}

async function call(api: KubernetesApi, path: string, body: unknown) {
  return memberList.parse(JSON.parse(String(await api.call('POST', path, body))));
}

/** Asks one member after the other: one that has been killed meanwhile does not answer, a refusal is an answer. */
async function firstAnswer<T>(live: readonly KubernetesApi[], ask: (api: KubernetesApi) => Promise<T>): Promise<T> {
  let failure: unknown = new Error('no member of etcd runs');
  for (const api of live) {
    try {
      return await ask(api);
    } catch (error) {
      failure = error;
      if (error instanceof ApiError) {
        break;
      }
    }
  }
  throw failure;
}
