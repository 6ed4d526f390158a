import type { V1Container, V1EnvVarSource, V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';

export type Container = Wire<V1Container>;
export type Volume = Wire<V1Volume>;

type Mount = Omit<Wire<V1VolumeMount>, 'mountPath'>;

/** What a container is made of, where it is written shorter than Kubernetes has it. */
export interface ContainerFacts extends Omit<Container, 'args' | 'env' | 'volumeMounts' | 'imagePullPolicy'> {
  readonly args: readonly string[];
  /** By name. */
  readonly variables?: Readonly<Record<string, string | Wire<V1EnvVarSource>>>;
  /** Volumes by the path at which they stand. */
  readonly mounts: Readonly<Record<string, string | Mount>>;
}

/** A variable's value that is the name of the pod's node. */
export const nodeName = { fieldRef: { fieldPath: 'spec.nodeName' } } as const;

/** What a driver needs to mount volumes for other pods. */
export const privileged = {
  privileged: true,
  capabilities: { add: ['SYS_ADMIN'] },
  allowPrivilegeEscalation: true,
};

export function container({ args, variables = {}, mounts, ...rest }: ContainerFacts): Container {
  const env = Object.entries(variables).map(([name, value]) =>
    typeof value === 'string' ? { name, value } : { name, valueFrom: value },
  );
  const volumeMounts = Object.entries(mounts).map(([mountPath, volume]) =>
    typeof volume === 'string' ? { name: volume, mountPath } : { ...volume, mountPath },
  );
  return {
    ...rest,
    imagePullPolicy: 'IfNotPresent',
    args: [...args],
    ...(env.length > 0 && { env }),
    ...(volumeMounts.length > 0 && { volumeMounts }),
  };
}

/** Port and probe of a driver whose health its liveness sidecar tells. */
export function healthChecked(port: number, { initialDelaySeconds, periodSeconds }: ProbeTimes) {
  return {
    ports: [{ containerPort: port, name: 'healthz', protocol: 'TCP' }],
    livenessProbe: {
      failureThreshold: 5,
      httpGet: { path: '/healthz', port: 'healthz' },
      initialDelaySeconds,
      timeoutSeconds: 10,
      periodSeconds,
    },
  };
}

interface ProbeTimes {
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
}

/** A directory of the node; it has to be there, unless it may be made. */
export function nodeDirectory(
  name: string,
  path: string,
  type: 'Directory' | 'DirectoryOrCreate' = 'Directory',
): Volume {
  return { name, hostPath: { path, type } };
}
