import { randomUUID } from 'node:crypto';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { FunctionStage } from './function-stage.ts';

interface Variable {
  readonly name: string;
}

interface ClassSpec {
  readonly variables: readonly Variable[];
  readonly patches: readonly object[];
}

/** Moves a cluster to a class like its own but for some variables, as an older release would have made it. */
export async function moveToOldClass(
  { kubernetes }: FunctionStage,
  stack: string,
  names: readonly string[],
): Promise<void> {
  const cluster = await kubernetes.get(resources.cluster, { namespace, name: stack });
  const { topology } = cluster.spec as { topology: { classRef: Variable; variables: readonly Variable[] } };
  const { apiVersion, kind } = resources.clusterClass;
  const current = await kubernetes.get(resources.clusterClass, { namespace, name: topology.classRef.name });
  const spec = current.spec as ClassSpec;
  const older = {
    ...spec,
    variables: spec.variables.filter(({ name }) => !names.includes(name)),
    patches: spec.patches.filter((patch) => !names.some((name) => JSON.stringify(patch).includes(name))),
  };
  const name = `magnum-old-${randomUUID().slice(0, 8)}`;
  await kubernetes.create(resources.clusterClass, {
    apiVersion,
    kind,
    metadata: { name, namespace },
    spec: older,
  });
  const variables = topology.variables.filter((variable) => !names.includes(variable.name));
  const operations = [
    { op: 'replace', path: '/spec/topology/classRef/name', value: name },
    { op: 'replace', path: '/spec/topology/variables', value: variables },
  ] as const;
  await kubernetes.patch(resources.cluster, { namespace, name: stack }, { operations });
}
