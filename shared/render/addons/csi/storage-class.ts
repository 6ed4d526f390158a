import type { V1StorageClass } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import type { Manifest } from '../manifest.ts';

const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class';

type Fields = Wire<V1StorageClass>;

export interface StorageClassFacts {
  readonly name: string;
  readonly provisioner: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly volumeBindingMode: 'Immediate' | 'WaitForFirstConsumer';
  /** Whether claims that name no class get this one. */
  readonly isDefault: boolean;
}

/** A class whose volumes can grow, and go with their claims. */
export function storageClass({ name, isDefault, parameters, ...facts }: StorageClassFacts): Manifest & Fields {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { [defaultAnnotation]: String(isDefault) } },
    ...facts,
    parameters: { ...parameters },
    reclaimPolicy: 'Delete',
    allowVolumeExpansion: true,
  };
}
