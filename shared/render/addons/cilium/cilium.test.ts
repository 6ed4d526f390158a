import { describe, expect, test } from 'vitest';
import { cniReleases } from '../../../magnum/syntax/cni-release.ts';
import { identities } from '../testing/manifests.ts';
import { ciliumLine, ciliumReleases } from './releases.ts';
import { lines, renderedCilium, type Situation, tags } from './testing/rendered-cilium.ts';

// Facts: cilium/charts, cilium-1.15.3.tgz and cilium-1.20.0.tgz, rendered with the values of original-facts §5.3 and
// hubble.tls.auto.method=cronJob. Other than upstream: no label `helm.sh/chart`, and certgen's Role (roles.test.ts).

const common = [
  'ClusterRole cilium',
  'ClusterRole cilium-operator',
  'ClusterRoleBinding cilium',
  'ClusterRoleBinding cilium-operator',
  'ConfigMap kube-system/cilium-config',
  'CronJob kube-system/hubble-generate-certs',
  'DaemonSet kube-system/cilium',
  'Deployment kube-system/cilium-operator',
  'Job kube-system/hubble-generate-certs-#',
  'Role kube-system/cilium-config-agent',
  'Role kube-system/hubble-generate-certs',
  'RoleBinding kube-system/cilium-config-agent',
  'RoleBinding kube-system/hubble-generate-certs',
  'Service kube-system/hubble-peer',
  'ServiceAccount kube-system/cilium',
  'ServiceAccount kube-system/cilium-operator',
  'ServiceAccount kube-system/hubble-generate-certs',
];

const userInterface = [
  'ClusterRole hubble-ui',
  'ClusterRoleBinding hubble-ui',
  'ConfigMap kube-system/hubble-relay-config',
  'ConfigMap kube-system/hubble-ui-nginx',
  'Deployment kube-system/hubble-relay',
  'Deployment kube-system/hubble-ui',
  'Service kube-system/hubble-relay',
  'Service kube-system/hubble-ui',
  'ServiceAccount kube-system/hubble-relay',
  'ServiceAccount kube-system/hubble-ui',
];

const newer = [
  'ConfigMap kube-system/cilium-envoy-config',
  'DaemonSet kube-system/cilium-envoy',
  'Namespace cilium-secrets',
  'Role cilium-secrets/cilium-operator-tlsinterception-secrets',
  'Role cilium-secrets/cilium-tlsinterception-secrets',
  'Role kube-system/cilium-operator-ztunnel',
  'RoleBinding cilium-secrets/cilium-operator-tlsinterception-secrets',
  'RoleBinding cilium-secrets/cilium-tlsinterception-secrets',
  'RoleBinding kube-system/cilium-operator-ztunnel',
  'Service kube-system/cilium-envoy',
  'ServiceAccount kube-system/cilium-envoy',
];

function objects(tag: string, situation: Situation = {}): readonly string[] {
  return identities(renderedCilium(tag, situation))
    .map((name) => name.replace(/-[0-9a-f]{10}$/, '-#'))
    .toSorted();
}

describe.each(lines)('Cilium %s', (line) => {
  const ofLine = line === 'v1.20' ? [...common, ...newer] : common;

  test('has the objects of upstream’s chart', () => {
    expect(objects(tags[line], { hubbleUi: false })).toEqual(ofLine.toSorted());
  });

  test('has relay and user interface where the label asks for them', () => {
    expect(objects(tags[line], { hubbleUi: true })).toEqual([...ofLine, ...userInterface].toSorted());
  });

  test('gives the same bytes for the same input, few enough for a Secret', () => {
    const text = JSON.stringify(renderedCilium(tags[line]));
    expect(JSON.stringify(renderedCilium(tags[line]))).toBe(text);
    expect(text.length).toBeLessThan(60_000);
  });
});

function images(tag: string, situation: Situation = {}): readonly string[] {
  const text = JSON.stringify(renderedCilium(tag, situation));
  return [...new Set(text.match(/(?<="image":")[^"]+/g))].toSorted();
}

const digests: Readonly<Record<string, string>> = {
  'cilium:v1.15.3': 'da74ab61d1bc665c1c088dff41d5be388d252ca5800f30c7d88844e6b5e440b0',
  'operator-generic:v1.15.3': 'c97f23161906b82f5c81a2d825b0646a5aa1dfb4adf1d49cbb87815079e69d61',
  'hubble-relay:v1.15.3': 'b9c6431aa4f22242a5d0d750c621d9d04bdc25549e4fb1116bfec98dd87958a2',
  'certgen:v0.1.9': '89a0847753686444daabde9474b48340993bd19c7bea66a46e45b2974b82041f',
  'hubble-ui:v0.13.0': '7d663dc16538dd6e29061abd1047013a645e6e69c115e008bee9ea9fef9a6666',
  'hubble-ui-backend:v0.13.0': '1e7657d997c5a48253bb8dc91ecee75b63018d16ff5e5797e5af367336bc8803',
  'cilium:v1.20.0': '383968cd5e8873f7976fa76aa6196045643558f4cc9518a207b9335cb24a0e93',
  'operator-generic:v1.20.0': '80744a8cc7c91c2f9e6347629406844eb35d79b30a732c6d41c15b17232a74f3',
  'hubble-relay:v1.20.0': '2ca16981c7eb98df0ba9c9d18896bb9ca628b5cbd40dc9801339f4741f91ee94',
  'certgen:v0.4.8': 'e65f1d15a0ffaf2df32797c8ad1c797fc64dad11c274cd96a2eafa89d712cdc3',
  'hubble-ui:v0.13.5': 'f7d514fc54d784ed6df9d58cf0e97648b143f92b766dd1780ed3fc845bd4c516',
  'hubble-ui-backend:v0.13.5': 'fac0c300ae119274edca11fd89b1ad23c788792d8bc4ea2ba631c709e8d3c688',
};

const envoyTag = 'v1.37.5-1782911245-7cffc778c923f68a77954a53b1a98d6b5353f004';
const envoyDigest = '583057dd4f7d54cd41efff3c413aa0b148ac201f522e2c3336851fa89c78b039';

function pinned(name: string): string {
  const digest = name.startsWith('cilium-envoy') ? envoyDigest : digests[name];
  return `quay.io/cilium/${name}@sha256:${digest}`;
}

const released = ['cilium', 'operator-generic', 'hubble-relay'];

test.each([
  ['v1.15.3', ['certgen:v0.1.9', 'hubble-ui:v0.13.0', 'hubble-ui-backend:v0.13.0']],
  ['v1.20.0', ['certgen:v0.4.8', 'hubble-ui:v0.13.5', 'hubble-ui-backend:v0.13.5', `cilium-envoy:${envoyTag}`]],
])('the images of %s are those that its chart pins', (tag, own) => {
  const names = [...released.map((name) => `${name}:${tag}`), ...own];
  expect(images(tag)).toEqual(names.map(pinned).toSorted());
});

test.each([
  ['v1.15.19', ['certgen:v0.1.9', 'hubble-ui:v0.13.0', 'hubble-ui-backend:v0.13.0']],
  ['v1.20.7', ['certgen:v0.4.8', 'hubble-ui:v0.13.5', 'hubble-ui-backend:v0.13.5', `cilium-envoy:${envoyTag}`]],
])('under the tag %s, the images with a tag of Cilium have it, without a digest', (tag, own) => {
  const expected = [...released.map((name) => `quay.io/cilium/${name}:${tag}`), ...own.map(pinned)];
  expect(images(tag)).toEqual(expected.toSorted());
});

test('a mirror has the images under the rules of magnum-cluster-api', () => {
  const prefix = 'registry.example.org/magnum';
  const names = ['cilium', 'operator-generic', 'hubble-relay'].map((name) => `${prefix}/cilium-${name}:v1.15.3`);
  const others = ['certgen:v0.1.9', 'hubble-ui:v0.13.0', 'hubble-ui-backend:v0.13.0'];
  const expected = [...names, ...others.map((name) => `${prefix}/cilium-${name}`)];
  expect(images('v1.15.3', { prefix })).toEqual(expected.toSorted());
});

test('the lines are those that the label takes, and the default tag is one whose chart was read', () => {
  expect(lines).toEqual(cniReleases.cilium.lines);
  expect(Object.values(tags)).toContain(cniReleases.cilium.defaultTag);
});

test('the catalogue names the images of each line', () => {
  expect(
    ciliumReleases.map(({ version, usedFor, source, images: { length } }) => [version, usedFor, source, length]),
  ).toEqual([
    ['v1.15.3', 'cilium_tag v1.15.x', 'cilium/charts cilium-1.15.3.tgz', 6],
    ['v1.20.0', 'cilium_tag v1.20.x', 'cilium/charts cilium-1.20.0.tgz', 7],
  ]);
  for (const { images: all } of ciliumReleases) {
    expect(all.every(({ digest }) => digest !== undefined)).toBe(true);
  }
});

test.each(['v1.16.0', 'v1.2.0', '1.15.3', 'toString.1', 'v1.15'])('%s is of no line', (tag) => {
  expect(() => ciliumLine(tag)).toThrow(RangeError);
});
