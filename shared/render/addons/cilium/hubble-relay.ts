import type { V1Container, V1PodSpec, V1Probe } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { addonNamespace, configMap, type Manifest, service } from '../manifest.ts';
import { logsOnError } from './container-parts.ts';
import { hubbleWorkload } from './hubble-workload.ts';
import type { Installation } from './installation.ts';
import { ports } from './names.ts';
import { agentSelector, onNodeWith } from './node-pod.ts';
import { partIdentity } from './part-labels.ts';
import { noRights, runtimeSeccomp } from './security.ts';
import { certificateFiles, secretVolume } from './volumes.ts';

const name = 'hubble-relay';
const certificates = '/var/lib/hubble-relay/tls';
/** User of distroless images that run as non-root. */
const nonRoot = 65_532;

/** Gathers the flows of all agents for the user interface. */
export function hubbleRelay(installation: Installation): readonly Manifest[] {
  return [
    configMap({ name: `${name}-config` }, { 'config.yaml': relayConfig(installation) }),
    ...hubbleWorkload({
      name,
      port: { protocol: 'TCP', targetPort: ports.relay },
      podSpec: podSpec(installation),
    }),
  ];
}

/** The Service through which the relay learns of the agents: each node's own, which `internalTrafficPolicy` sees to. */
export function hubblePeer(): Manifest {
  return service(partIdentity('hubble-peer', agentSelector), {
    selector: agentSelector,
    ports: [{ name: 'peer-service', port: 443, protocol: 'TCP', targetPort: ports.hubblePeer }],
    internalTrafficPolicy: 'Local',
  });
}

function relayConfig({ line, serviceDomain }: Installation): string {
  // A name with a dot at its end is not looked for in the pod's search domains.
  const peer = `hubble-peer.${addonNamespace}.svc.${serviceDomain}${line === 'v1.15' ? '' : '.'}`;
  const settings = {
    'cluster-name': 'default',
    'peer-service': `"${peer}:443"`,
    'listen-address': `:${ports.relay}`,
    gops: 'true',
    'gops-port': '"9893"',
    'tls-hubble-client-cert-file': `${certificates}/client.crt`,
    'tls-hubble-client-key-file': `${certificates}/client.key`,
    'tls-hubble-server-ca-files': `${certificates}/hubble-server-ca.crt`,
    'disable-server-tls': 'true',
  };
  return Object.entries(settings)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
}

function podSpec({ line, images }: Installation): Wire<V1PodSpec> {
  const isHardened = line !== 'v1.15';
  return {
    securityContext: { fsGroup: nonRoot, ...(isHardened ? runtimeSeccomp : {}) },
    containers: [container(images.hubbleRelay, isHardened)],
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 1,
    affinity: { podAffinity: onNodeWith(agentSelector) },
    volumes: [
      ...(isHardened ? [{ name: 'tmp-volume', emptyDir: {} }] : []),
      { name: 'config', configMap: { name: `${name}-config`, items: [{ key: 'config.yaml', path: 'config.yaml' }] } },
      // Without its certificates the relay is of no use: its pod waits for certgen.
      secretVolume('tls', [
        { name: 'hubble-relay-client-certs', items: certificateFiles('client', 'hubble-server-ca') },
      ]),
    ],
  };
}

function container(image: string, isHardened: boolean): Wire<V1Container> {
  const probe = (more: Wire<V1Probe>): Wire<V1Probe> => ({ grpc: { port: ports.relayHealth }, ...more });
  const security = { capabilities: noRights.capabilities, runAsGroup: nonRoot, runAsNonRoot: true, runAsUser: nonRoot };
  return {
    name,
    image,
    command: [name],
    args: ['serve'],
    ports: [{ name: 'grpc', containerPort: ports.relay }],
    readinessProbe: probe({ timeoutSeconds: 3 }),
    // Two minutes: the relay needs a while to reach the agents, and is not killed for trying.
    livenessProbe: probe({ timeoutSeconds: 10, initialDelaySeconds: 10, periodSeconds: 10, failureThreshold: 12 }),
    startupProbe: probe({ initialDelaySeconds: 10, periodSeconds: 3, failureThreshold: 20 }),
    securityContext: isHardened
      ? { ...security, ...noRights, ...runtimeSeccomp, readOnlyRootFilesystem: true }
      : security,
    ...logsOnError,
    volumeMounts: [
      ...(isHardened ? [{ name: 'tmp-volume', mountPath: '/tmp' }] : []),
      { name: 'config', mountPath: `/etc/${name}`, readOnly: true },
      { name: 'tls', mountPath: certificates, readOnly: true },
    ],
  };
}
