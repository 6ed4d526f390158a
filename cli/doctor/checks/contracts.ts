import { resources } from '../../../shared/kubernetes/resources.ts';
import { textsAt } from '../../../shared/status/views/json-part.ts';
import { type Check, failure, goodUnless } from '../check.ts';
import { observedTypes } from '../observed-types.ts';

/** Kinds of providers that Cluster API itself looks for. */
const contracted = [
  resources.openStackCluster,
  resources.openStackClusterTemplate,
  resources.openStackMachine,
  resources.openStackMachineTemplate,
  resources.kubeadmControlPlane,
  resources.kubeadmControlPlaneTemplate,
  resources.kubeadmConfigTemplate,
];

/** Labels of a definition by which Cluster API knows its versions (Cluster API book, "API version labels"). */
const contractLabel = /^cluster\.x-k8s\.io\/v1(?:alpha|beta)\d$/;

export const contractsCheck: Check = {
  id: 'contracts',
  description:
    "The definitions of the providers' kinds bear the labels by which Cluster API finds the version of each, as `cluster.x-k8s.io/v1beta1`.",
  remedy: 'Apply the manifests of the provider as it releases them, or let clusterctl do so: its labels were lost.',
  needs: ['api-versions'],
  async run({ client, signal }) {
    const problems = await Promise.all(
      contracted.map(async ({ apiVersion, plural, kind }) => {
        const name = `${plural}.${apiVersion.split('/')[0]}`;
        const found = await client.find(observedTypes.customResourceDefinition, { name }, { signal });
        const version = apiVersion.split('/')[1] ?? '';
        const labels = Object.entries(textsAt(found, 'metadata', 'labels'));
        // Several versions of one contract are joined by an underscore.
        const versions = labels.flatMap(([key, value]) => (contractLabel.test(key) ? value.split('_') : []));
        if (versions.includes(version)) return [];
        return [failure(`The definition of ${kind} has no label of Cluster API's contract for ${version}.`)];
      }),
    );
    return goodUnless(problems.flat(), "The providers' definitions bear the labels of Cluster API's contract.");
  },
};
