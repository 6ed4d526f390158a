import type { CiliumLine } from './releases.ts';

/** Custom resources of cilium.io that agents watch. */
export function watchedResources(line: CiliumLine): string {
  return `${commonlyWatched} ${onlyWatched[line]}`;
}

/** Names of all definitions that the operator registers and renews. */
export function definitionNames(line: CiliumLine): readonly string[] {
  const resources = `${watchedResources(line)} ciliumbgpclusterconfigs ciliumbgpnodeconfigoverrides ${onlyRegistered[line]}`;
  return resources.split(' ').map((resource) => `${resource}.cilium.io`);
}

const commonlyWatched = [
  'ciliumbgpadvertisements',
  'ciliumbgpnodeconfigs',
  'ciliumbgppeerconfigs',
  'ciliumcidrgroups',
  'ciliumclusterwideenvoyconfigs',
  'ciliumclusterwidenetworkpolicies',
  'ciliumegressgatewaypolicies',
  'ciliumendpoints',
  'ciliumendpointslices',
  'ciliumenvoyconfigs',
  'ciliumidentities',
  'ciliuml2announcementpolicies',
  'ciliumloadbalancerippools',
  'ciliumlocalredirectpolicies',
  'ciliumnetworkpolicies',
  'ciliumnodeconfigs',
  'ciliumnodes',
  'ciliumpodippools',
].join(' ');

const onlyWatched: Readonly<Record<CiliumLine, string>> = {
  'v1.15': 'ciliumbgppeeringpolicies',
  'v1.20': 'ciliumdatapathplugins',
};

const onlyRegistered: Readonly<Record<CiliumLine, string>> = {
  'v1.15': 'ciliumexternalworkloads',
  'v1.20': 'ciliumgatewayclassconfigs',
};
