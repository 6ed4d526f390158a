import type { Verdict } from '../../cli/doctor/check.ts';
import type { CheckId } from '../../cli/doctor/check-ids.ts';
import { observedTypes } from '../../cli/doctor/observed-types.ts';
import { letterConfigMap } from '../../shared/dead-letters/dead-letter.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managedByLabel, managementNamespace } from '../../shared/render/metadata.ts';
import { startSimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { waitFor } from '../env/wait-for.ts';
import { altered, unready, unserved, withoutClusterTopology } from './breakages.ts';
import { changedContainer, wantsTokens, withEventTokens } from './event-tokens.ts';
import { availability, type Broken, deployment, type Installation, image } from './installation.ts';

/** One prerequisite that is missing. */
export interface BrokenPrerequisite {
  readonly id: CheckId;
  readonly what: string;
  readonly breakIt: (installation: Installation) => Promise<Broken>;
  /** What the doctor says of it. */
  readonly sentence: RegExp;
  /** @default failed, with exit code 1 */
  readonly verdict?: Verdict;
}

const { knativeService, trigger, networkPolicy, customResourceDefinition, namespace } = observedTypes;

export const brokenPrerequisites: readonly BrokenPrerequisite[] = [
  {
    id: 'kubernetes-version',
    what: 'a management cluster that is too old',
    // The API server of the tests is not, so its answer is altered.
    breakIt: (installation) =>
      altered(installation, { body: (text) => text.replace(/"minor": "\d+"/, '"minor": "33"') }),
    sentence: /^The management cluster runs Kubernetes v1\.\d+\.\d+, which is older than Knative needs\.$/,
  },
  {
    id: 'api-versions',
    what: 'a kind that is not served',
    breakIt: (installation) => unserved(installation, 'openstackservers.infrastructure.cluster.x-k8s.io'),
    sentence: /^OpenStackServer of infrastructure\.cluster\.x-k8s\.io\/v1alpha1 is not served\.$/,
  },
  {
    id: 'contracts',
    what: 'a definition whose label was lost',
    async breakIt({ merge }) {
      const name = 'openstackmachines.infrastructure.cluster.x-k8s.io';
      const label = (value: string | null) =>
        merge(customResourceDefinition, name, { metadata: { labels: { 'cluster.x-k8s.io/v1beta1': value } } });
      await label(null);
      return { mend: () => label('v1beta1') };
    },
    sentence: /^The definition of OpenStackMachine has no label of Cluster API's contract for v1beta1\.$/,
  },
  {
    id: 'openstack-resource-controller',
    what: 'an OpenStack provider without the controller that it needs',
    breakIt: (installation) => unserved(installation, 'images.openstack.k-orc.cloud'),
    sentence: /^Image of openstack\.k-orc\.cloud\/v1alpha1 is not served\.$/,
  },
  {
    id: 'controllers',
    what: 'a manager that is not available',
    async breakIt({ api }) {
      const path = '/apis/apps/v1/namespaces/capo-system/deployments/capo-controller-manager/status';
      await api.call('PATCH', path, availability('False'));
      return { mend: () => api.call('PATCH', path, availability('True')) };
    },
    sentence: /^The manager capo-system\/capo-controller-manager is not available: MinimumReplicasUnavailable: /,
  },
  {
    id: 'webhooks',
    what: 'a webhook that does not answer',
    async breakIt({ controlPlane }) {
      const restart = await controlPlane.kill('cabpk');
      return { mend: async () => restart() };
    },
    sentence: /^No webhook answers for KubeadmConfigTemplate: .*failed calling webhook/,
  },
  {
    id: 'webhooks',
    what: 'a manager that hangs',
    async breakIt({ controlPlane }) {
      const pid = controlPlane.pids['kcp'] ?? 0;
      process.kill(pid, 'SIGSTOP');
      return { mend: async () => process.kill(pid, 'SIGCONT') };
    },
    sentence: /^No webhook answers for KubeadmControlPlaneTemplate: .*failed calling webhook .*deadline exceeded/,
  },
  {
    id: 'cluster-topology',
    what: 'the feature gate ClusterTopology off',
    breakIt: withoutClusterTopology,
    sentence: /^The feature gate ClusterTopology is off\.$/,
  },
  {
    id: 'cluster-resource-sets',
    what: 'the feature gate ClusterResourceSet off',
    async breakIt({ api }) {
      const path = '/apis/apps/v1/namespaces/capi-system/deployments/capi-controller-manager';
      const args = (...more: string[]) => ({
        spec: {
          template: {
            spec: { containers: [{ name: 'manager', image: 'manager', args: ['--leader-elect', ...more] }] },
          },
        },
      });
      await api.call('PATCH', path, args('--feature-gates=ClusterTopology=true,ClusterResourceSet=false'));
      return { mend: () => api.call('PATCH', path, args()) };
    },
    sentence: /^An argument of the core manager turns the feature gate ClusterResourceSet off\.$/,
  },
  {
    id: 'knative-serving',
    what: 'no Knative Serving',
    breakIt: (installation) => unserved(installation, 'services.serving.knative.dev'),
    sentence: /^Service of serving\.knative\.dev\/v1 is not served\.$/,
  },
  {
    id: 'knative-eventing',
    what: 'a Knative Eventing without PingSources',
    breakIt: (installation) => unserved(installation, 'pingsources.sources.knative.dev'),
    sentence: /^PingSource of sources\.knative\.dev\/v1 is not served\.$/,
  },
  {
    id: 'objects',
    what: 'no NetworkPolicy',
    async breakIt({ remove, install }) {
      await remove(networkPolicy, 'magnum-functions');
      return { mend: install };
    },
    sentence: /^NetworkPolicy magnum-functions is missing\.$/,
  },
  {
    id: 'rights',
    what: 'a Role of an older release',
    async breakIt({ read, merge }) {
      const { rules } = await read(resources.role, 'magnum-create');
      const kept = (Array.isArray(rules) ? rules : []).filter((rule) => !Object(rule).resources.includes('secrets'));
      await merge(resources.role, 'magnum-create', { rules: kept });
      return { mend: () => merge(resources.role, 'magnum-create', { rules }) };
    },
    sentence: /^magnum-create may not get, list, create, patch, delete secrets\.$/,
  },
  {
    id: 'rights',
    what: 'an account that may not have tokens checked',
    async breakIt({ api, install }) {
      const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/magnum-delete-auth-delegator';
      await api.call('DELETE', path);
      return { mend: install };
    },
    sentence:
      /^magnum-delete may not create tokenreviews\.authentication\.k8s\.io; create subjectaccessreviews\.authorization\.k8s\.io\.$/,
  },
  {
    id: 'functions',
    what: 'a function that does not become ready',
    breakIt: (installation) => unready(installation, knativeService, 'magnum-resize'),
    sentence: /^Service magnum-resize is not ready: RevisionMissing: Said by the test\.$/,
  },
  {
    id: 'images',
    what: 'functions of two images',
    async breakIt(installation) {
      const other = image.replace(/:.*/, ':0.0.1');
      return changedContainer(installation, 'magnum-delete', (container) => ({ ...container, image: other }));
    },
    sentence:
      /^The functions run several images: .*; magnum-delete registry\.example\.org\/magnum-capi-functions:0\.0\.1(?:;.*)?\.$/,
  },
  {
    id: 'events',
    what: 'a Trigger that is not ready',
    breakIt: (installation) => unready(installation, trigger, 'magnum-status-objects'),
    sentence: /^Trigger magnum-status-objects is not ready: RevisionMissing: Said by the test\.$/,
  },
  {
    id: 'event-tokens',
    what: 'a function that wants tokens which nobody sends',
    breakIt: (installation) => changedContainer(installation, 'magnum-status', wantsTokens),
    sentence:
      /^Trigger magnum-status-objects does not ask for tokens of the audience serving\.knative\.dev\/service\/magnum-system\/magnum-status\.$/,
  },
  {
    id: 'event-tokens',
    what: "Eventing's feature authentication-oidc off",
    breakIt: (installation) => withEventTokens(installation, { lacks: 'account' }),
    sentence: /^Trigger magnum-status-resync has no account: Eventing's feature authentication-oidc is off\.$/,
  },
  {
    id: 'event-tokens',
    what: 'Triggers that may not deliver',
    breakIt: (installation) => withEventTokens(installation, { lacks: 'right' }),
    sentence:
      /^magnum-status-resync-oidc-eventing\.knative\.dev-trigger, the account of Trigger magnum-status-resync, may not deliver to magnum-status\.$/,
  },
  {
    id: 'event-tokens',
    what: 'an EventPolicy that is not ready',
    breakIt: (installation) => withEventTokens(installation, { lacks: 'policy' }),
    sentence: /^EventPolicy magnum-broker is not ready: nobody has said yet that it is ready\.$/,
  },
  {
    id: 'listener',
    what: "the placeholder in the place of the listener's address",
    async breakIt({ read, merge }) {
      const { spec } = await read(trigger, 'magnum-reports');
      await merge(trigger, 'magnum-reports', { spec: { subscriber: { uri: 'https://magnum-listener.invalid/' } } });
      return { mend: () => merge(trigger, 'magnum-reports', { spec: Object(spec) }) };
    },
    sentence: /^The Trigger magnum-reports still has the placeholder in the place of the listener's address\.$/,
  },
  {
    id: 'keystone',
    what: 'a Keystone that cannot be reached',
    breakIt: async () => ({ args: ['--auth-url', 'http://127.0.0.1:1/v3'], mend: async () => undefined }),
    sentence: /^Keystone at http:\/\/127\.0\.0\.1:1\/v3 cannot be reached from here: no connection \(ECONNREFUSED\)\.$/,
  },
  {
    id: 'keystone',
    what: 'a Keystone of an authority that nobody knows',
    async breakIt() {
      const { authUrl, stop } = await startSimulatedOpenStack({ https: true });
      return { args: ['--auth-url', authUrl], mend: stop };
    },
    sentence: /^Keystone at https:\S+ cannot be trusted: its certificate is not trusted \(\S+\)\.$/,
  },
  {
    id: 'keystone',
    what: 'something else where Keystone should be',
    breakIt: async ({ cloud }) => ({ args: ['--auth-url', `${cloud.authUrl}/nothing`], mend: async () => undefined }),
    sentence: /^What answers at \S+ is no Keystone with version 3 of its API \(HTTP 404\)\.$/,
  },
  {
    id: 'clocks',
    what: 'a management cluster whose clock is wrong',
    // All processes of the tests have one clock, so its answers are altered.
    breakIt: (installation) => altered(installation, { date: (date) => date + 300_000 }),
    sentence: /^The clock of (?:this machine|Keystone) is (?:299|30\d) s behind that of the management cluster\.$/,
  },
  {
    id: 'service-credential',
    what: 'a credential in the cloud without a file',
    async breakIt({ read, merge }) {
      const name = 'magnum-service-credential';
      const { data } = await read(resources.secret, name);
      await merge(resources.secret, name, { data: { 'clouds.yaml': 'Y2xvdWRzOiB7fQ==' } });
      return { mend: () => merge(resources.secret, name, { data: Object(data) }) };
    },
    sentence: /^The clouds\.yaml of Secret magnum-service-credential cannot be used: it has no cloud "default"\.$/,
  },
  {
    id: 'autoscalers',
    what: 'a cluster-autoscaler that does not run',
    async breakIt({ create, remove }) {
      const name = 'kube-aaaaa-autoscaler';
      await create(resources.deployment, deployment(name, managedByLabel));
      return { mend: () => remove(resources.deployment, name) };
    },
    sentence: /^Deployment kube-aaaaa-autoscaler is not available: nobody has said yet that it is available\.$/,
    verdict: 'warning',
  },
  {
    id: 'dead-letters',
    what: 'an event that could not be delivered',
    async breakIt({ create, remove }) {
      const event = { id: 'one', source: '/test', type: 'test', subject: '', time: '' };
      const received = new Date('2026-11-30T06:00:00Z');
      const letter = letterConfigMap({ event, isWhole: true, destination: '', code: '503', reason: '', received });
      await create(resources.configMap, letter);
      return { mend: () => remove(resources.configMap, letter.metadata?.name ?? '') };
    },
    sentence: /^There is one dead letter, the newest of 2026-11-30T06:00:00\.000Z\.$/,
    verdict: 'warning',
  },
  // The last: everything in it goes too.
  {
    id: 'namespace',
    what: 'no namespace',
    async breakIt({ remove, install, api }) {
      await remove(namespace, managementNamespace);
      const gone = () =>
        api.call('GET', `/api/v1/namespaces/${managementNamespace}`).then(
          () => Promise.reject(new Error('It is there.')),
          () => undefined,
        );
      await waitFor(gone, { what: 'the namespace to go' });
      return { mend: install };
    },
    sentence: /^The namespace magnum-system is missing\.$/,
  },
];
