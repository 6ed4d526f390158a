import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import { writeSourceKubeconfig } from '../system/source-kubeconfig.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface LimitedUserOptions {
  readonly server: string;
  readonly caCertificate: string;
  /** Of the ServiceAccount, its Role and its binding. */
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** Somebody with a kubeconfig and a few rights in the driver's namespace. */
export interface LimitedUser {
  readonly kubeconfig: string;
  /** Removes the kubeconfig; the account stays as long as the control plane. */
  remove(): Promise<void>;
}

const namespace = 'magnum-system';
const tokenAnswer = z.object({ status: z.object({ token: z.string() }) });

export async function makeLimitedUser(api: KubernetesApi, options: LimitedUserOptions): Promise<LimitedUser> {
  const { name, rules, server, caCertificate } = options;
  const metadata = { name, namespace };
  const rights = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await api.call('POST', accounts, { metadata });
  await api.call('POST', `${rights}/roles`, { metadata, rules });
  await api.call('POST', `${rights}/rolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  const answer = await api.call('POST', `${accounts}/${name}/token`, { spec: { expirationSeconds: 3600 } });
  const { token } = tokenAnswer.parse(answer).status;
  const directory = await mkdtemp(join(tmpdir(), 'magnum-user-'));
  return {
    kubeconfig: await writeSourceKubeconfig(directory, { server, caCertificate, token }),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
