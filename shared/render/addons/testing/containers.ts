import type { V1Container, V1PodTemplateSpec, V1VolumeMount } from '@kubernetes/client-node';

/** Those that come before the others first. */
export function containersOf({ spec }: V1PodTemplateSpec): readonly V1Container[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
}

/** What a container runs, as one line; its environment; its mounts by their path; and all else as it stands. */
export function factsOf(container: V1Container) {
  const { name: _name, command = [], args = [], env: _env, volumeMounts = [], ...rest } = container;
  const mounts = volumeMounts.map((mount) => [mount.mountPath, [mount.name, ...optionsOf(mount)].join(' ')]);
  return {
    ...rest,
    run: [...command, ...args].join(' '),
    env: environmentOf(container),
    mounts: Object.fromEntries(mounts),
  };
}

/** `name path`, then what else is said, sorted. */
export function mountsOf({ volumeMounts = [] }: V1Container): readonly string[] {
  return volumeMounts.map((mount) => [mount.name, mount.mountPath, ...optionsOf(mount)].join(' ')).toSorted();
}

function optionsOf({ readOnly, mountPropagation, subPath }: V1VolumeMount): readonly string[] {
  return [readOnly === true ? 'read-only' : '', mountPropagation ?? '', subPath ?? ''].filter((word) => word !== '');
}

/** Name → value, or where the value comes from. */
export function environmentOf({ env = [] }: V1Container): Record<string, string | undefined> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => {
      if (valueFrom === undefined) return [name, value];
      const { fieldRef, configMapKeyRef, resourceFieldRef } = valueFrom;
      const optional = configMapKeyRef?.optional === true ? ' optional' : '';
      if (configMapKeyRef !== undefined) return [name, `${configMapKeyRef.name} ${configMapKeyRef.key}${optional}`];
      return [name, fieldRef === undefined ? `resource ${resourceFieldRef?.resource}` : `field ${fieldRef.fieldPath}`];
    }),
  );
}
