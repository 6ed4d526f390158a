import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { annotationPath, setAnnotations } from '../../shared/kubernetes/set-annotations.ts';
import { isClassOf } from '../../shared/render/cluster-class/class-name.ts';
import { managedBySelector, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { Environment } from './environment.ts';

/** Annotation of a ClusterClass: since when no Cluster refers to it. */
const unusedSince = 'magnum.openstack.org/unused-since';
/** A release that was taken back for a day finds its class again. */
const longestUnusedMs = 24 * 60 * 60 * 1000;

type Needs = Pick<Environment, 'kubernetes' | 'signal' | 'log' | 'now' | 'version'>;

/**
 * Deletes the driver's own ClusterClasses of other releases that no Cluster has referred to for a day. Cluster API makes a
 * class the owner of its templates (clusterclass_controller.go), so they go with it, and its webhook refuses to delete
 * one that is in use after all. Of what happens to one class, the others hear nothing.
 */
export async function removeUnusedClasses(environment: Needs, used: ReadonlySet<string>): Promise<void> {
  const { kubernetes, signal, log } = environment;
  for await (const object of kubernetes.each(resources.clusterClass, {
    namespace,
    labelSelector: managedBySelector,
    signal,
  })) {
    const name = object.metadata?.name ?? '';
    const isNeeded = used.has(name) || isClassOf(environment.version, name);
    try {
      await (isNeeded ? markUsed(environment, object) : judge(environment, object));
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, cluster_class: name }, 'a ClusterClass could not be judged');
    }
  }
}

async function markUsed({ kubernetes, signal }: Needs, object: CustomObject): Promise<void> {
  if (object.metadata?.annotations?.[unusedSince] === undefined) return;
  const { name = '', resourceVersion } = object.metadata;
  const operations = [{ op: 'remove', path: annotationPath(unusedSince) }] as const;
  await kubernetes.patch(resources.clusterClass, { namespace, name }, { operations, resourceVersion, signal });
}

async function judge({ kubernetes, signal, now, log }: Needs, { metadata }: CustomObject): Promise<void> {
  const { name = '', uid, resourceVersion, annotations, deletionTimestamp } = metadata ?? {};
  const reference = { namespace, name };
  const since = Date.parse(annotations?.[unusedSince] ?? '');
  if (deletionTimestamp !== undefined) return;
  if (Number.isNaN(since)) {
    const operations = setAnnotations(annotations, { [unusedSince]: now().toISOString() });
    await kubernetes.patch(resources.clusterClass, reference, { operations, resourceVersion, signal });
  } else if (now().getTime() - since >= longestUnusedMs) {
    await kubernetes.delete(resources.clusterClass, reference, { uid, resourceVersion, signal });
    log.info({ cluster_class: name }, 'a ClusterClass was deleted that no Cluster refers to');
  }
}
