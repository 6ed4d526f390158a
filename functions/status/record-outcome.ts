import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import { isConflict, isInvalid, isNotFound } from '../../shared/kubernetes/errors.ts';
import { recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { setAnnotations } from '../../shared/kubernetes/set-annotations.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { reportHash } from '../../shared/status/report-hash.ts';
import type { Environment } from './environment.ts';
import { type Computation, judge, observeStatus } from './observe-status.ts';

/**
 * What of an outcome is written down: that operations are complete, that the cluster is about to be reported, or that this
 * very report was posted, and no other.
 */
export type Recorded = 'completion' | 'completion and report' | 'posted report';

/** Annotation of the Cluster with the hash of the last report of it, once nothing is open any more. */
const reportAnnotation = 'magnum.openstack.org/report-hash';
/** Cluster API writes the Cluster's status all the time, and each write is a new version. */
const attempts = 5;

/**
 * Writes on the Cluster what a computation found: nobody is told that an operation is complete before it is recorded.
 * Takes the Lease only where there is something to write, so the event of its own write ends here.
 * @returns the computation as it was recorded: another one where the Cluster was changed meanwhile
 * @throws BusyError, DependencyError
 */
export async function recordOutcome(
  environment: Environment,
  computation: Computation,
  recorded: Recorded,
): Promise<Computation> {
  const { derived } = computation;
  if (derived === null || isRecorded(computation, recorded)) return computation;
  return withClusterLease(environment, derived.report.cluster_uuid, (proceed) => {
    const recording = { environment, recorded, proceed };
    return record(recording, computation, attempts);
  });
}

interface Recording {
  readonly environment: Environment;
  readonly recorded: Recorded;
  /** Runs before each write. @throws DriverError when the Lease is lost or nobody waits for the result */
  readonly proceed: () => void;
}

async function record(recording: Recording, computation: Computation, left: number): Promise<Computation> {
  const { environment, recorded, proceed } = recording;
  if (isRecorded(computation, recorded)) return computation;
  proceed();
  try {
    return await write(environment, computation, recorded);
  } catch (error) {
    if (isInvalid(error)) return withoutRecord(environment, computation, error);
    if (!isConflict(error) && !isNotFound(error)) throw error;
    return recordAgain(recording, computation, { left, error });
  }
}

interface Failure {
  readonly left: number;
  readonly error: unknown;
}

/** The Cluster is no longer what the computation is about: another one decides what is to be recorded. */
async function recordAgain(
  recording: Recording,
  computation: Computation,
  { left, error }: Failure,
): Promise<Computation> {
  if (recording.recorded === 'posted report') return computation;
  if (left <= 1) throw error;
  return record(recording, await observeStatus(recording.environment, computation.observed.stackId), left - 1);
}

/**
 * Cluster API's webhook may refuse any write of a Cluster that another release of it made. What is only remembered to save
 * work does not keep the report back.
 */
function withoutRecord({ log }: Environment, computation: Computation, error: unknown): Computation {
  if (Object.keys(closedRecords(computation)).length > 0) throw error;
  log.warn({ err: error, stack_id: computation.observed.stackId }, 'a report could not be recorded');
  return computation;
}

/** Whether the last report of the cluster, as far as it is recorded, said something else. */
export function isNews({ observed, derived }: Computation): boolean {
  if (derived === null) return false;
  return derived.isOpen || observed.cluster?.metadata?.annotations?.[reportAnnotation] !== reportHash(derived.report);
}

async function write(environment: Environment, computation: Computation, recorded: Recorded): Promise<Computation> {
  const { observed, begun } = computation;
  const { annotations, resourceVersion } = observed.cluster?.metadata ?? {};
  const operations = setAnnotations(annotations, newAnnotations(computation, recorded));
  const reference = { namespace, name: observed.stackId };
  const patch = { operations, resourceVersion, signal: environment.signal };
  const cluster = await environment.kubernetes.patch(resources.cluster, reference, patch);
  return judge({ ...observed, cluster }, begun);
}

function isRecorded(computation: Computation, recorded: Recorded): boolean {
  return Object.keys(newAnnotations(computation, recorded)).length === 0;
}

/** What the Cluster's annotations do not say yet. */
function newAnnotations(computation: Computation, recorded: Recorded): Record<string, string> {
  const closed = closedRecords(computation);
  return recorded === 'completion' ? closed : { ...closed, ...reportedHash(withAnnotations(computation, closed)) };
}

function closedRecords({ derived, begun }: Computation): Record<string, string> {
  const completed = begun.toISOString();
  const closings = derived?.completed ?? [];
  return Object.fromEntries(
    closings.map(({ nodegroup, record }) => [recordAnnotation(nodegroup), JSON.stringify({ ...record, completed })]),
  );
}

function reportedHash(computation: Computation): Record<string, string> {
  const { observed, derived } = computation;
  const isSettled = observed.cluster !== null && derived?.isOpen === false;
  return isSettled && isNews(computation) ? { [reportAnnotation]: reportHash(derived.report) } : {};
}

/** The same as it will be once the annotations are written. */
function withAnnotations(computation: Computation, annotations: Record<string, string>): Computation {
  const { observed, begun } = computation;
  if (observed.cluster === null || Object.keys(annotations).length === 0) return computation;
  const { metadata } = observed.cluster;
  const merged = { ...metadata, annotations: { ...metadata?.annotations, ...annotations } };
  return judge({ ...observed, cluster: { ...observed.cluster, metadata: merged } }, begun);
}
