import { createHash } from 'node:crypto';
import type { V1Container, V1CronJob, V1Job, V1JobSpec, V1PodSpec } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { addonNamespace, type Manifest, serviceAccount } from '../manifest.ts';
import type { Installation } from './installation.ts';
import { partLabels } from './part-labels.ts';
import { named, rule } from './policy-rule.ts';
import type { CiliumLine } from './releases.ts';
import { namespaceGrant } from './roles.ts';
import { noRights, runtimeSeccomp } from './security.ts';

const name = 'hubble-generate-certs';
const selector = { 'k8s-app': name };

/**
 * Hubble's certificates, made inside the cluster by Cilium's own certgen: no key stands in a manifest, and no two renderings
 * differ. A Job makes the first ones, a CronJob renews them; both keep the authority in the Secret `cilium-ca` once it is there.
 */
export function hubbleCertificates(installation: Installation): readonly Manifest[] {
  const spec = { template: { metadata: { labels: selector }, spec: podSpec(installation) } };
  return [
    serviceAccount({ name }),
    ...namespaceGrant(name, name, [
      rule('', 'secrets', 'create'),
      named(rule('', 'secrets', 'update'), secretNames[installation.line]),
      named(rule('', 'secrets', 'get update'), ['cilium-ca']),
    ]),
    firstRun(spec),
    renewal(spec),
  ];
}

/**
 * A Job's template can never be changed, so another template makes another Job. It has no time to live: a Job that removed
 * itself would come back, and make new certificates, whenever Cluster API applies the manifests again.
 */
function firstRun(spec: Wire<V1JobSpec>): Manifest & Wire<V1Job> {
  const hash = createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 10);
  const metadata = { name: `${name}-${hash}`, namespace: addonNamespace, labels: partLabels(name, selector) };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec };
}

/** Three times a year: certificates of v1.20 are valid for one year, those of v1.15 for three. */
function renewal(spec: Wire<V1JobSpec>): Manifest & Wire<V1CronJob> {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace: addonNamespace, labels: partLabels(name, selector) },
    spec: { schedule: '0 0 1 */4 *', concurrencyPolicy: 'Forbid', jobTemplate: { spec } },
  };
}

function podSpec({ line, images, hubbleUi }: Installation): Wire<V1PodSpec> {
  return {
    securityContext: runtimeSeccomp,
    containers: [
      {
        name: 'certgen',
        image: images.certgen,
        command: ['/usr/bin/cilium-certgen'],
        ...certgenArguments[line](hubbleUi),
        securityContext: noRights,
      },
    ],
    ...(line === 'v1.15' ? { hostNetwork: true } : {}),
    serviceAccountName: name,
    automountServiceAccountToken: true,
    restartPolicy: 'OnFailure',
  };
}

type Arguments = Pick<Wire<V1Container>, 'args' | 'env'>;

/** The relay's certificate is made where there is a relay. */
const certgenArguments: Readonly<Record<CiliumLine, (hubbleUi: boolean) => Arguments>> = {
  'v1.15': flags,
  'v1.20': configuration,
};

const serverHosts = '*.default.hubble-grpc.cilium.io';

/** Certgen v0.1 takes flags. */
function flags(hubbleUi: boolean): Arguments {
  const validity = `validity-duration=${3 * 365 * 24 * 3600}s`;
  const args = [
    `--cilium-namespace=${addonNamespace}`,
    '--ca-generate',
    '--ca-reuse-secret',
    '--hubble-server-cert-generate',
    `--hubble-server-cert-common-name=${serverHosts}`,
    `--hubble-server-cert-${validity}`,
  ];
  const relay = ['--hubble-relay-client-cert-generate', `--hubble-relay-client-cert-${validity}`];
  return { args: hubbleUi ? [...args, ...relay] : args };
}

/** Certgen v0.4 reads the certificates from YAML, which JSON is. */
function configuration(hubbleUi: boolean): Arguments {
  const certificate = (secret: string, host: string, ...roles: string[]) => ({
    name: secret,
    namespace: addonNamespace,
    commonName: host,
    hosts: [host],
    usage: ['signing', 'key encipherment', ...roles],
    validity: '8760h',
  });
  const server = certificate('hubble-server-certs', serverHosts, 'server auth', 'client auth');
  const relay = certificate('hubble-relay-client-certs', '*.hubble-relay.cilium.io', 'client auth');
  return {
    args: [
      '--ca-generate=true',
      '--ca-reuse-secret',
      `--ca-secret-namespace=${addonNamespace}`,
      '--ca-secret-name=cilium-ca',
      '--ca-common-name=Cilium CA',
      '--ca-enforce-validity-throughout-leaves-duration=true',
    ],
    env: [{ name: 'CILIUM_CERTGEN_CONFIG', value: JSON.stringify({ certs: hubbleUi ? [server, relay] : [server] }) }],
  };
}

const commonSecrets = ['hubble-server-certs', 'hubble-relay-client-certs', 'hubble-relay-server-certs'];

const secretNames: Readonly<Record<CiliumLine, readonly string[]>> = {
  'v1.15': commonSecrets,
  'v1.20': [...commonSecrets, 'hubble-metrics-server-certs', 'hubble-ui-client-certs'],
};
