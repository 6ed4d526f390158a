import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleFacts, exampleIntent, exampleServerGroups, ids } from '../../test/render/example-intent.ts';
import { clusterVariables } from './cluster-variables.ts';
import { readLiveInfrastructure } from './live-infrastructure.ts';
import { computedInfrastructure } from './testing/computed-infrastructure.ts';

/** All fields of the spec that the class writes and CAPO refuses to change. */
const immutable = [
  'apiServerLoadBalancer',
  'apiServerFloatingIP',
  'disableAPIServerFloatingIP',
  'externalNetwork',
  'network',
  'subnets',
  'managedSubnets',
] as const;

function keptOf(spec: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(immutable.flatMap((field) => (field in spec ? [[field, spec[field]]] : [])));
}

/** What the class makes of labels that say all sorts of things, for an OpenStackCluster that lives. */
function computed(spec: unknown, asked: Asked): Record<string, unknown> {
  const read = readLiveInfrastructure(spec);
  if ('field' in read) throw new Error(`The class cannot keep ${read.field}.`);
  const intent = exampleIntent(asked.intent);
  const facts = { ...exampleFacts, ...asked.facts };
  const context = { stackId: 'kube-abcde', facts, serverGroups: exampleServerGroups, live: read.infrastructure };
  return computedInfrastructure(clusterVariables(intent, context));
}

const text = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
const reference = fc.record({ id: fc.uuid() });
const address = fc.ipV4();

/** Leaves each field out half of the time. */
function partly<T extends object>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) {
  return fc.record(fields, { requiredKeys: [] });
}

const loadBalancer = fc
  .tuple(fc.boolean(), partly({ provider: text, flavor: text, availabilityZone: text }))
  .map(([enabled, choices]) => ({ enabled, ...choices }));

const managedSubnet = fc
  .tuple(address, partly({ dnsNameservers: fc.array(address, { minLength: 1, maxLength: 3 }) }))
  .map(([ip, servers]) => ({ cidr: `${ip}/24`, ...servers }));

const networks = fc.oneof(
  fc.record({ network: reference }),
  fc.record({ network: reference, subnets: fc.tuple(reference) }),
  fc.record({ managedSubnets: fc.tuple(managedSubnet) }),
  // The original wrote a subnet without its network, which CAPO passes over.
  fc.record({ managedSubnets: fc.tuple(managedSubnet), subnets: fc.tuple(reference) }),
);

const liveSpec = fc
  .tuple(
    networks,
    fc.record({ externalNetwork: reference, identityRef: fc.constant({ name: 'x', cloudName: 'default' }) }),
    partly({
      apiServerLoadBalancer: loadBalancer,
      apiServerFloatingIP: address,
      disableAPIServerFloatingIP: fc.boolean(),
      tags: fc.array(text),
      apiServerPort: fc.constant(6443),
    }),
  )
  .map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);

interface Asked {
  readonly intent: Parameters<typeof exampleIntent>[0];
  readonly facts: Partial<typeof exampleFacts>;
}

const asked: fc.Arbitrary<Asked> = fc
  .record({
    enabled: fc.boolean(),
    provider: fc.option(text),
    flavor: fc.option(text),
    availabilityZone: fc.option(text),
    floatingIpEnabled: fc.boolean(),
    floatingIp: fc.option(address),
    nodeCidr: address.map((ip) => `${ip}/16`),
    dnsNameservers: fc.array(address),
    externalNetworkId: fc.uuid(),
    fixedNetworkId: fc.option(fc.uuid()),
    fixedSubnetId: fc.option(fc.uuid()),
  })
  .map(({ floatingIpEnabled, floatingIp, nodeCidr, dnsNameservers, ...others }) => {
    const { enabled, provider, flavor, availabilityZone, ...facts } = others;
    const loadBalancer = { enabled, provider, flavor, availabilityZone };
    const { apiServer, network } = exampleIntent();
    return {
      intent: {
        apiServer: { ...apiServer, loadBalancer, floatingIpEnabled, floatingIp },
        network: { ...network, nodeCidr, dnsNameservers },
      },
      facts,
    };
  });

test('whatever the labels say, the class makes the same immutable fields that live, present or absent', () => {
  fc.assert(
    fc.property(liveSpec, asked, (live, wishes) => {
      expect(keptOf(computed(live, wishes))).toEqual(keptOf(live));
    }),
    { numRuns: 500 },
  );
});

describe('an OpenStackCluster with what the class cannot write', () => {
  const plain = { externalNetwork: { id: ids.externalNetwork }, network: { id: ids.fixedNetwork } };
  const managedSubnets = [{ cidr: '10.0.0.0/24' }];

  test('is named by its field', () => {
    expect(readLiveInfrastructure(plain)).toHaveProperty('infrastructure');
  });

  test.each([
    ['no external network', { network: plain.network }, 'spec.externalNetwork'],
    [
      'an external network by its name',
      { ...plain, externalNetwork: { filter: { name: 'x' } } },
      'spec.externalNetwork',
    ],
    ['a network by its name', { ...plain, network: { filter: { name: 'x' } } }, 'spec.network.filter'],
    ['no network at all', { externalNetwork: plain.externalNetwork }, 'spec.network'],
    ['a network and one that is made', { ...plain, managedSubnets }, 'spec.network'],
    ['two subnets', { ...plain, subnets: [{ id: 'a' }, { id: 'b' }] }, 'spec.subnets'],
    ['a subnet by its tags', { ...plain, subnets: [{ filter: { tags: ['x'] } }] }, 'spec.subnets.0'],
    [
      'pools of addresses',
      { externalNetwork: plain.externalNetwork, managedSubnets: [{ cidr: '10.0.0.0/24', allocationPools: [] }] },
      'spec.managedSubnets.0.allocationPools',
    ],
    ['a load balancer that is none', { ...plain, apiServerLoadBalancer: 'ovn' }, 'spec.apiServerLoadBalancer'],
    ['a flag that is text', { ...plain, disableAPIServerFloatingIP: 'no' }, 'spec.disableAPIServerFloatingIP'],
    ['no spec', undefined, 'spec'],
    ['a list for a spec', [], 'spec'],
  ])('such as %s is told apart', (_title, spec, field) => {
    const read = readLiveInfrastructure(spec);
    expect('field' in read ? read.field : 'kept').toContain(field);
  });
});
