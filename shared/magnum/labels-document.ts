import { apiServerLabels } from './labels/api-server.ts';
import { kubernetesLabels } from './labels/kubernetes.ts';
import type { LabelDefinition } from './labels/label-definition.ts';
import { networkLabels } from './labels/network.ts';
import { nodeLabels } from './labels/nodes.ts';
import { storageLabels } from './labels/storage.ts';
import { volumeLabels } from './labels/volumes.ts';

type LabelTable = Readonly<Record<string, LabelDefinition<unknown>>>;

const sections: readonly (readonly [title: string, labels: LabelTable])[] = [
  ['Kubernetes and add-ons', kubernetesLabels],
  ['Nodes', nodeLabels],
  ['Network and load balancers', networkLabels],
  ['API server and kubelets', apiServerLabels],
  ['Volumes', volumeLabels],
  ['Storage drivers', storageLabels],
];

const introduction = `# Labels

What the labels of a cluster template, a cluster or a nodegroup do. This page is generated from \`shared/magnum/labels\`.

* Magnum merges the labels of the template into those of the cluster only with \`--merge-labels\`; otherwise labels given at
  create replace all of the template's, \`kube_tag\` included. The driver reads the labels of the cluster.
* A label marked *nodegroup* is read from the nodegroup first. What a nodegroup lacks comes from the cluster.
* An empty label counts as missing. Blanks around a value and around the items of a list are ignored. Lists are separated
  by commas.
* A boolean is one of 1, t, true, on, y, yes or 0, f, false, off, n, no, in any case. A whole number has decimal digits
  only, no unit.
* Labels that are not listed here are ignored.
* All faults of a request are reported at once, each with the name of its label, before anything is written.
* Labels of a cluster cannot be changed later. So a cluster that exists already, for instance from another driver, may keep
  some values that are refused to a new one; the reply says which, and what happens instead. Neither a delete nor the
  status nor the health of a cluster depends on its labels.

Some values have to fit each other:

* The networks of pods, Services and nodes must not overlap.
* Several masters need a load balancer (\`--master-lb-enabled\`), and their number is odd.
* The provider \`ovn\` knows the algorithm SOURCE_IP_PORT only; \`amphora\` knows all others.
* \`oidc_issuer_url\` needs \`oidc_client_id\`.
* With autoscaling, the number of nodes lies between minimum and maximum.
* The name of a nodegroup has at most 34 characters: lower-case letters, digits and hyphens.
`;

/** docs/labels.md. */
export function labelsDocument(): string {
  return [introduction, ...sections.map(section)].join('\n');
}

function section([title, labels]: readonly [string, LabelTable]): string {
  const rows = Object.entries(labels).map(([name, label]) => `${row(name, label)}\n`);
  return `## ${title}\n\n| label | value | default | of | meaning |\n|---|---|---|---|---|\n${rows.join('')}`;
}

function row(name: string, { type, shownDefault, scope, meaning }: LabelDefinition<unknown>): string {
  const cells = [`\`${name}\``, type, shownDefault, scope, meaning];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
