import { describe, expect, test } from 'vitest';
import { clusterClassSet } from './cluster-class-set.ts';
import { features } from './features.ts';

const variables = features.flatMap((feature) => feature.variables);
const patches = features.flatMap((feature) => feature.patches);
const definitions = patches.flatMap(({ name, definitions }) =>
  definitions.map((definition) => ({ name, ...definition })),
);
const operations = definitions.flatMap(({ name, jsonPatches }) =>
  jsonPatches.map((operation) => ({ name, operation })),
);
const set = clusterClassSet('0.1.0');

/** Names and types of magnum-cluster-api's variables: a cluster must stay usable by it (original-facts §1.4). */
const originalVariables = {
  string: [
    ...['admissionControlList', 'apiServerFloatingIP', 'apiServerSANs', 'apiServerTLSCipherSuites', 'aptProxyConfig'],
    ...['availabilityZone', 'bootVolumeAvailabilityZone', 'clusterIdentityRefName', 'containerdConfig'],
    ...['controlPlaneFlavor', 'dockerVolumeType', 'etcdVolumeType', 'externalNetworkId', 'fixedNetworkId'],
    ...['fixedSubnetId', 'flavor', 'hardwareDiskBus', 'imageRepository', 'imageUUID', 'kubeletTLSCipherSuites'],
    ...['nodeCidr', 'operatingSystem', 'serverGroupId', 'sshKeyName', 'systemdProxyConfig'],
  ],
  boolean: [
    ...['disableAPIServerFloatingIP', 'disableAPIServerFloatingIPManaged', 'enableDockerVolume', 'enableEtcdVolume'],
    ...['enableKeystoneAuth', 'enableKubeletServingCertificateVerification', 'isServerGroupDiffFailureDomain'],
  ],
  integer: ['dockerVolumeSize', 'etcdVolumeSize'],
  array: ['controlPlaneAvailabilityZones', 'dnsNameservers'],
  object: ['apiServerLoadBalancer', 'auditLog', 'bootVolume', 'openidConnect'],
};

describe('the class', () => {
  test('is reviewed as a whole', async () => {
    const text = `${set.objects.map((object) => JSON.stringify(object, null, 2)).join('\n')}\n`;
    await expect(text.replaceAll(set.name, '<name>')).toMatchFileSnapshot(
      './__snapshots__/cluster-class-set.json.snap',
    );
  });

  test('and its templates have one name, which says release and content', () => {
    expect(set.name).toMatch(/^magnum-v0\.1\.0-[0-9a-f]{8}$/);
    expect(set.objects.map(({ metadata }) => metadata.name)).toEqual(Array(5).fill(set.name));
    expect(set.objects.at(-1)?.kind).toBe('ClusterClass');
  });

  test('is the same every time, and its hash does not depend on the release', () => {
    expect(clusterClassSet('0.1.0')).toEqual(set);
    expect(clusterClassSet('9.9.9').name.slice(-8)).toBe(set.name.slice(-8));
  });

  test.each(['1.0.0-RC.1+build_7', `1.0.0-${'x'.repeat(10)}`])('has a valid name for release %s', (version) => {
    expect(clusterClassSet(version).name).toMatch(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);
    expect(clusterClassSet(version).name.length).toBeLessThanOrEqual(63);
  });
});

describe('a patch', () => {
  test('has a name of its own', () => {
    const names = patches.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(definitions)('$name selects a template of the class', ({ selector }) => {
    const types = set.objects.map(({ apiVersion, kind }) => ({ apiVersion, kind }));
    expect(types).toContainEqual({ apiVersion: selector.apiVersion, kind: selector.kind });
  });

  test.each(operations)('$name passes every computed value through toJson', ({ operation }) => {
    if (!('valueFrom' in operation) || !('template' in operation.valueFrom)) return;
    const actions = operation.valueFrom.template.match(/\{\{.*?\}\}/g) ?? [];
    const values = actions.filter((action) => !/^\{\{ (if |end )/.test(action));
    expect(values.filter((action) => !action.endsWith('| toJson }}'))).toEqual([]);
  });
});

describe('a variable', () => {
  test('has a name of its own', () => {
    const names = variables.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(Object.entries(originalVariables).flatMap(([type, names]) => names.map((name) => [name, type] as const)))(
    '%s is of the type %s, as in the original',
    (name, type) => {
      expect(variables.find((variable) => variable.name === name)?.schema.openAPIV3Schema.type).toBe(type);
    },
  );

  test.each(variables)('$name is either required or has a default', ({ required, schema }) => {
    expect(required).toBe(schema.openAPIV3Schema.default === undefined);
  });

  test.each(variables)('$name drives a patch', ({ name }) => {
    const used = JSON.stringify(patches);
    expect(used).toMatch(new RegExp(`(\\.|"variable":")${name}\\b`));
  });
});
