import { type Check, failure, goodUnless, warning } from '../check.ts';
import { managersOf, providers } from '../managers.ts';

export const controllersCheck: Check = {
  id: 'controllers',
  description:
    'The managers of Cluster API and of its providers, kubeadm and OpenStack, are available: Deployments with the label `cluster.x-k8s.io/provider`, as clusterctl installs them.',
  remedy: 'Look at the pods of the manager, or install the provider: clusterctl init --infrastructure openstack.',
  async run(surroundings) {
    const managers = await managersOf(surroundings);
    const unavailable = managers.flatMap(({ namespace, name, problem }) =>
      problem === null ? [] : [failure(`The manager ${namespace}/${name} is not available: ${problem}.`)],
    );
    const missing = providers
      .filter((provider) => managers.every((manager) => manager.provider !== provider))
      .map((provider) => warning(`No Deployment says that it is the manager of provider ${provider}.`));
    return goodUnless([...unavailable, ...missing], 'The managers of Cluster API and of its providers are available.');
  },
};
