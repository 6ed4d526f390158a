import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { isConflict, isNotFound } from '../../shared/kubernetes/errors.ts';
import { findListed } from '../../shared/kubernetes/find-listed.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { annotationPath, setAnnotations } from '../../shared/kubernetes/set-annotations.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { isMarked } from './choose-victims.ts';
import { deletionMark, type NodeMachine } from './node-machine.ts';

export interface Marking {
  readonly kubernetes: KubernetesClient;
  /** Runs before each write. @throws DriverError */
  readonly proceed: () => void;
  /** The mark's value, by which a later attempt knows the marks of this event again. */
  readonly eventId: string;
}

/** Cluster API writes the state of a Machine all the time, and each write is a new version. */
const attempts = 5;

/** Marks machines that are not marked yet. @throws KubernetesError, also where a machine has gone meanwhile */
export async function markMachines(marking: Marking, machines: readonly NodeMachine[]): Promise<void> {
  for (const machine of machines) await mark(marking, machine, attempts);
}

type Target = Pick<NodeMachine, 'name' | 'uid' | 'resourceVersion' | 'annotations'>;

async function mark(marking: Marking, machine: Target, left: number): Promise<void> {
  if (isMarked(machine)) return;
  const { name, uid, resourceVersion, annotations } = machine;
  const test = { op: 'test', path: '/metadata/uid', value: uid } as const;
  const operations = [test, ...setAnnotations(annotations, { [deletionMark]: marking.eventId })];
  // Only where all annotations are written would another's be lost: status changes the version too often to go by it.
  const guard = annotations === undefined ? { resourceVersion } : {};
  marking.proceed();
  try {
    await marking.kubernetes.patch(resources.machine, { namespace, name }, { operations, ...guard });
  } catch (error) {
    const current = isConflict(error) && left > 1 ? await readAgain(marking, machine) : undefined;
    if (current === undefined) throw error;
    await mark(marking, current, left - 1);
  }
}

/** Undefined where it has gone, or its name is another's. */
async function readAgain({ kubernetes }: Marking, { name, uid }: Target): Promise<Target | undefined> {
  const found = await findListed(kubernetes, resources.machine, { namespace, name });
  if (found?.metadata?.uid !== uid) return undefined;
  const { resourceVersion = '', annotations } = found.metadata;
  return { name, uid, resourceVersion, annotations };
}

/** Takes the marks from machines, but for those that somebody has changed meanwhile. */
export async function unmarkMachines(marking: Marking, machines: readonly NodeMachine[]): Promise<void> {
  const path = annotationPath(deletionMark);
  for (const { name, uid, annotations } of machines) {
    const operations = [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'test', path, value: annotations?.[deletionMark] },
      { op: 'remove', path },
    ] as const;
    marking.proceed();
    try {
      await marking.kubernetes.patch(resources.machine, { namespace, name }, { operations });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }
}
