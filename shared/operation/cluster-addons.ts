import type { ClusterIntent } from '../magnum/cluster-intent.ts';
import type { MagnumSnapshot } from '../magnum/snapshot.ts';
import type { AddonInput, CloudServices } from '../render/addons/addon.ts';
import { addonManifests } from '../render/addons/addon-manifests.ts';
import { type AddonObjects, addonObjects } from '../render/addons/addon-secrets.ts';
import type { CloudConfAccess } from '../render/addons/cloud-conf/cloud-conf.ts';
import { nodeSelector } from '../render/addons/cluster-autoscaler/node-selector.ts';
import { type ImageSource, imageReference, mirrorRules } from '../render/addons/images/mirror-rules.ts';
import { isKeystonePolicy } from '../render/addons/keystone-auth/keystone-policy.ts';
import { rejection } from './rejection.ts';

/** What Magnum's options say of the add-ons of all clusters. */
export interface AddonOptions {
  readonly rules: ImageSource['rules'];
  readonly keystonePolicy: string;
}

/** Reads the options before anything is written. @throws RejectedError that names the option */
export function addonOptions(options: MagnumSnapshot['options']): AddonOptions {
  const rules = mirrorRules(options.capi_functions.image_rules);
  if ('problem' in rules) throw wrongOption('capi_functions', 'image_rules', rules.problem);
  const selector = nodeSelector(options.auto_scaling.node_selector);
  if ('problem' in selector) throw wrongOption('auto_scaling', 'node_selector', selector.problem);
  const keystonePolicy = options.kubernetes.keystone_auth_default_policy;
  if (keystonePolicy.trim() !== '' && !isKeystonePolicy(keystonePolicy)) {
    throw wrongOption(
      'kubernetes',
      'keystone_auth_default_policy',
      'names a file that is no policy of k8s-keystone-auth',
    );
  }
  return { rules: rules.value, keystonePolicy };
}

function wrongOption(group: string, name: string, problem: string) {
  return rejection('invalid_field', `Magnum's option [${group}] ${name} ${problem}.`, {
    field: `options.${group}.${name}`,
  });
}

interface ClusterFacts {
  readonly stackId: string;
  readonly intent: ClusterIntent;
  readonly access: CloudConfAccess;
  readonly services: CloudServices;
}

/**
 * What stands for the add-ons of one cluster in the management cluster.
 * @throws RejectedError for a value that the workload's cloud.conf cannot carry
 */
export function clusterAddons(options: AddonOptions, { stackId, ...facts }: ClusterFacts): AddonObjects {
  const { intent } = facts;
  const source = { prefix: intent.imageRepository, rules: options.rules };
  const { keystonePolicy } = options;
  const input: AddonInput = { ...facts, keystonePolicy, image: (image) => imageReference(image, source) };
  try {
    return addonObjects({ stackId, uuid: intent.uuid }, addonManifests(input));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw rejection('invalid_field', error.message);
  }
}
