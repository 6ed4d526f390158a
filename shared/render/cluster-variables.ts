import type { ApiServerIntent, ClusterIntent } from '../magnum/cluster-intent.ts';
import { base64 } from './base64.ts';
import type { CloudFacts, ServerGroupFacts } from './cloud-facts.ts';
import { containerdConfig } from './containerd-config.ts';
import type { LiveInfrastructure } from './live-infrastructure.ts';
import { networkVariables } from './network-variables.ts';
import { extraVolumeVariables, flavorFacts, imageFacts, volumeValue } from './node-variables.ts';
import { aptProxyConfig, systemdProxyConfig } from './proxy-config.ts';
import type { Json } from './rendered-object.ts';
import { stackNames } from './stack-names.ts';
import { type VariableValue, variableValues } from './variable-value.ts';

export interface ClusterContext {
  readonly stackId: string;
  readonly facts: CloudFacts;
  readonly serverGroups: ServerGroupFacts;
  /** Spec of the cluster's OpenStackCluster, whose immutable fields are kept; null where there is none yet. */
  readonly live: LiveInfrastructure | null;
}

/**
 * A value for each variable of the class, nodes' own labels and taints aside (seed §4.1, §4.2).
 * @throws RejectedError if a flavor or image was never looked up.
 */
export function clusterVariables(intent: ClusterIntent, context: ClusterContext): VariableValue[] {
  return variableValues({
    clusterIdentityRefName: stackNames(context.stackId).cloudConfig,
    ...networkVariables(intent, context.facts, context.live),
    ...machineVariables(intent, context),
    ...apiServerVariables(intent.apiServer),
    ...nodeVariables(intent),
  });
}

function machineVariables(intent: ClusterIntent, { facts, serverGroups }: ClusterContext): Record<string, Json> {
  const { controlPlane } = intent;
  const image = imageFacts(facts, controlPlane.image);
  return {
    controlPlaneFlavor: flavorFacts(facts, controlPlane.flavor).name,
    // Every nodegroup names its own; this one is only there because the class asks for it.
    flavor: flavorFacts(facts, intent.workers[0]?.flavor ?? controlPlane.flavor).name,
    imageUUID: image.id,
    hardwareDiskBus: image.diskBus,
    sshKeyName: intent.keypair ?? '',
    bootVolume: volumeValue(intent.bootVolume, facts),
    bootVolumeAvailabilityZone: intent.bootVolumeAvailabilityZone ?? '',
    ...extraVolumeVariables('etcd', intent.etcdVolume, facts),
    ...extraVolumeVariables('docker', intent.dockerVolume, facts),
    availabilityZone: intent.availabilityZone ?? '',
    controlPlaneAvailabilityZones: controlPlane.availabilityZones.length === 0 ? [''] : controlPlane.availabilityZones,
    serverGroupId: serverGroups.controlPlane,
    isServerGroupDiffFailureDomain: controlPlane.serverGroup.differentFailureDomain,
  };
}

function apiServerVariables(apiServer: ApiServerIntent): Record<string, Json> {
  return {
    apiServerTLSCipherSuites: apiServer.tlsCipherSuites,
    apiServerSANs: apiServer.certSans.join(','),
    admissionControlList: apiServer.admissionPlugins.join(','),
    enableKeystoneAuth: apiServer.keystoneAuth,
    ...(apiServer.oidc === null ? {} : { openidConnect: { ...apiServer.oidc } }),
    ...(apiServer.auditLog === null ? {} : { auditLog: { enabled: true, ...apiServer.auditLog } }),
  };
}

function nodeVariables(intent: ClusterIntent): Record<string, Json> {
  return {
    operatingSystem: intent.operatingSystem,
    imageRepository: intent.imageRepository ?? '',
    containerdConfig: base64(containerdConfig(intent.imageRepository)),
    systemdProxyConfig: base64(systemdProxyConfig(intent.proxy)),
    aptProxyConfig: base64(aptProxyConfig(intent.proxy)),
    kubeletTLSCipherSuites: intent.kubelet.tlsCipherSuites,
    enableKubeletServingCertificateVerification: intent.kubelet.servingCertVerification,
  };
}
