import * as z from 'zod';
import type { Taint } from '../cluster-intent.ts';
import type { NodegroupReading } from '../reading/snapshot-reading.ts';
import { isKubeletLabel, isLabelValue, isQualifiedName } from '../syntax/kubernetes-syntax.ts';
import { quote } from '../syntax/quote.ts';

/** Cluster API keeps labels of this domain in step with the Machine, so a node has no say in them. */
const machineDomain = 'node.cluster.x-k8s.io/';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const labelSet = z.record(z.string(), z.unknown()).nullish();

/** Labels that the kubelets of the group give their Nodes. */
export function nodeLabels({ fields, nodegroup, cluster: { faults } }: NodegroupReading): Record<string, string> {
  const subject = fields.subject('node_labels');
  const parsed = labelSet.safeParse(nodegroup.node_labels);
  if (!parsed.success) faults.add(subject, ' holds no labels');
  const entries = Object.entries(parsed.data ?? {}).map(([key, raw]) => {
    const problem = keyProblem(key) ?? valueProblem(key, raw);
    if (problem !== null) faults.add(subject, `: ${problem}`);
    return [key, scalar.safeParse(raw).data ?? ''];
  });
  return Object.fromEntries(entries);
}

function keyProblem(key: string): string | null {
  if (!isQualifiedName(key)) return `${quote(key)} is no key of a Kubernetes label`;
  if (isKubeletLabel(key) && !key.startsWith(machineDomain)) return null;
  return `${quote(key)} is reserved: nodes may label themselves only outside kubernetes.io and k8s.io, or below node.kubernetes.io and kubelet.kubernetes.io`;
}

function valueProblem(key: string, raw: unknown): string | null {
  const value = scalar.safeParse(raw ?? '');
  if (!value.success) return `the value of ${quote(key)} is no text`;
  return isLabelValue(value.data) ? null : `${quote(value.data)} of ${quote(key)} is no value of a Kubernetes label`;
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

const taint = z
  .looseObject({
    key: z.string('key is no text').refine(isQualifiedName, 'key is no key of a Kubernetes taint'),
    value: z.string('value is no text').refine(isLabelValue, 'value is no value of a Kubernetes label').nullish(),
    effect: z.enum(effects, `effect is none of ${effects.join(', ')}`),
  })
  .transform(({ key, value, effect }): Taint => ({ key, value: value ?? '', effect }));

const taintList = z.array(z.unknown()).nullish();

/** Taints that the Nodes of the group are born with. */
export function nodeTaints({ fields, nodegroup, cluster: { faults } }: NodegroupReading): readonly Taint[] {
  const subject = fields.subject('node_taints');
  const list = taintList.safeParse(nodegroup.node_taints);
  if (!list.success) faults.add(subject, ' is no list of taints');
  const taints = new Map<string, Taint>();
  for (const [index, raw] of (list.data ?? []).entries()) {
    const parsed = taint.safeParse(raw);
    if (!parsed.success) {
      faults.add(subject, `: of taint ${index + 1} the ${parsed.error.issues[0]?.message}`);
      continue;
    }
    const { key, effect } = parsed.data;
    const identity = `${key}:${effect}`;
    if (taints.has(identity)) faults.add(subject, `: ${quote(key)} with effect ${effect} is listed twice`);
    taints.set(identity, parsed.data);
  }
  return [...taints.values()];
}
