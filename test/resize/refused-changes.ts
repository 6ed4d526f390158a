import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { ApiError } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';
import type { FunctionStage } from '../functions/function-stage.ts';

const root = '/apis/admissionregistration.k8s.io/v1';

/** Makes the API server refuse every change of one Cluster's topology, as a webhook would. */
export async function refuseChanges({ api }: FunctionStage, stackId: string): Promise<{ end(): Promise<void> }> {
  const name = `refuse-${stackId}`;
  const metadata = { name };
  await api.call('POST', `${root}/validatingadmissionpolicies`, {
    metadata,
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['cluster.x-k8s.io'], apiVersions: ['*'], operations: ['UPDATE'], resources: ['clusters'] },
        ],
      },
      matchConditions: [{ name: 'own', expression: `object.metadata.name == '${stackId}'` }],
      validations: [
        { expression: 'object.spec.topology == oldObject.spec.topology', message: 'The topology is frozen.' },
      ],
    },
  });
  const spec = { policyName: name, validationActions: ['Deny'] };
  await api.call('POST', `${root}/validatingadmissionpolicybindings`, { metadata, spec });
  const path = `/apis/${resources.cluster.apiVersion}/namespaces/${namespace}/clusters/${stackId}`;
  const change = { spec: { topology: { controlPlane: { replicas: 5 } } } };
  const probe = async () => {
    const refused = await api.call('PATCH', `${path}?dryRun=All`, change).then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.status === 422,
    );
    if (!refused) throw new Error('the change was not refused');
  };
  await waitFor(probe, { what: 'the policy to act' });
  return {
    async end() {
      await api.call('DELETE', `${root}/validatingadmissionpolicybindings/${name}`);
      await api.call('DELETE', `${root}/validatingadmissionpolicies/${name}`);
    },
  };
}
