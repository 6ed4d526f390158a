import { type Fault, RejectedError } from '../../shared/contract/errors.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import type { OperatingSystem } from '../../shared/magnum/cluster-intent.ts';
import type { UpgradeTarget } from '../../shared/magnum/upgrade-target.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { supportedMinors, supportOf } from '../../shared/render/addons/supported-version.ts';
import { runningOperation } from './running-operation.ts';

const versionField = 'new_cluster_template.labels.kube_tag';

/** Numbers of a version; Cluster API compares nothing else either (`version.WithoutPreReleases`). */
const numbers = /^v?(\d+)\.(\d+)\.(\d+)/;

/**
 * Checks what the live Cluster allows, before anything is asked of the cloud or written. The same version again is allowed: an
 * upgrade that failed over its image is mended by another image.
 * @throws RejectedError
 */
export function checkUpgrade(cluster: LiveCluster, target: UpgradeTarget): void {
  const from = cluster.spec.topology.version;
  const to = target.kubernetesVersion;
  const fault = versionFault(from, to);
  if (fault !== null) throw new RejectedError([fault]);
  const running = from === to ? null : runningOperation(cluster);
  if (running !== null) throw inProgress(running);
}

/** @param what is going on, as a sentence */
export function inProgress(what: string): RejectedError {
  return rejection('in_progress', what, { hint: 'Upgrade the cluster when that is complete.' });
}

/** What the user should know of a version that is accepted. */
export function versionNotes({ kubernetesVersion }: UpgradeTarget): string[] {
  if (supportOf(kubernetesVersion) !== 'older') return [];
  return [`Kubernetes ${kubernetesVersion} is older than the driver's add-ons support (${range}): upgrade further.`];
}

const range = `v1.${supportedMinors.oldest} to v1.${supportedMinors.newest}`;

function versionFault(from: string, to: string): Fault | null {
  const problem = versionProblem(from, to);
  if (problem !== null) return { code: 'invalid_label', field: versionField, ...problem };
  if (supportOf(to) !== 'newer') return null;
  return {
    code: 'unsupported',
    message: `The driver does not support Kubernetes ${to}: it supports ${range}.`,
    field: versionField,
  };
}

function versionProblem(from: string, to: string): Pick<Fault, 'message' | 'hint'> | null {
  const [old, wanted] = [numbersOf(from), numbersOf(to)];
  if (compare(wanted, old) < 0) return { message: `The cluster runs ${from}: it cannot go back to ${to}.` };
  const [major = 0, minor = 0] = old;
  if (compare(wanted, [major, minor + 2, 0]) < 0) return null;
  const next = `v${major}.${minor + 1}`;
  return {
    message: `The cluster runs ${from}: it cannot skip ${next} on the way to ${to}.`,
    hint: `Upgrade it to a ${next} first.`,
  };
}

function numbersOf(version: string): number[] {
  return numbers.exec(version)?.slice(1).map(Number) ?? [];
}

/** Negative where `one` is lower; what is no version compares as equal, and Cluster API decides. */
function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((number, position) => number !== other[position]);
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

/**
 * The bootstrap data are made for one operating system: a machine of another would never join.
 * @throws RejectedError
 */
export function checkOperatingSystem(cluster: LiveCluster, former: OperatingSystem, target: UpgradeTarget): void {
  const live = cluster.spec.topology.variables.find(({ name }) => name === 'operatingSystem')?.value ?? former;
  const { operatingSystem } = target;
  if (live === operatingSystem) return;
  const message = `The cluster's machines run ${live}: an image of ${operatingSystem} cannot take their place.`;
  throw rejection('invalid_field', message, { field: 'new_cluster_template.cluster_distro' });
}
