import { supportedMinors, supportOf } from '../../render/addons/supported-version.ts';
import type { ClusterIntent, OperatingSystem } from '../cluster-intent.ts';
import { readValue } from '../reading/read-value.ts';
import type { ClusterReading } from '../reading/snapshot-reading.ts';
import { type CniKind, cniKinds } from '../syntax/cni-release.ts';
import { kubernetesVersion } from '../syntax/kubernetes-version.ts';
import { oneOf, type Parse } from '../syntax/text-format.ts';

/** The version as `kube_tag` gives it. Labels given at create replace those of the template, which is how it gets lost. */
export function kubernetesVersionOf({ labels, faults, snapshot, existing }: ClusterReading): string {
  const version = labels.read('kube_tag');
  const subject = labels.subject('kube_tag');
  if (version !== null && supportOf(version) !== 'supported') {
    const { oldest, newest } = supportedMinors;
    faults.addOrNote(subject, existing, {
      problem: `: the add-ons support Kubernetes v1.${oldest} to v1.${newest}, not ${version}`,
      instead: 'the cluster stays as it is',
    });
  }
  if (version !== null) return version;
  if (!labels.has('kube_tag')) faults.add(subject, ' is missing', versionHint(snapshot.cluster_template.labels));
  return '';
}

function versionHint(templateLabels: unknown): string {
  const raw = new Map(Object.entries(templateLabels ?? {})).get('kube_tag');
  const result = readValue(raw, { parse: kubernetesVersion });
  return 'value' in result
    ? `The cluster template has ${result.value}: create the cluster with --merge-labels, or give it the label kube_tag too.`
    : 'Give the cluster or its template the label kube_tag, e.g. kube_tag=v1.33.4.';
}

const operatingSystems = ['ubuntu', 'debian', 'rockylinux', 'flatcar'] as const satisfies readonly OperatingSystem[];

const operatingSystem: Parse<OperatingSystem> = (text) => {
  const value = operatingSystems.find((name) => text.startsWith(name));
  return value === undefined ? { problem: `begins with none of ${operatingSystems.join(', ')}` } : { value };
};

/** From the image's os_distro, which Magnum keeps in the template; e.g. `ubuntu-focal` is ubuntu. */
export function operatingSystemOf({ template }: Pick<ClusterReading, 'template'>): OperatingSystem {
  const value = template.read('cluster_distro', operatingSystem);
  if (value === null) template.missing('cluster_distro');
  return value ?? 'ubuntu';
}

export function cniKindOf({ template }: ClusterReading): CniKind {
  const driver = template.read('network_driver', oneOf(cniKinds));
  if (driver === null) template.missing('network_driver');
  return cniKinds.find((kind) => kind === driver) ?? 'calico';
}

export function cniOf(reading: ClusterReading): ClusterIntent['cni'] {
  const kind = cniKindOf(reading);
  return { kind, tag: reading.labels.read(kind === 'calico' ? 'calico_tag' : 'cilium_tag') };
}
