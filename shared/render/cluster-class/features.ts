import { admissionPlugins } from './admission-plugins.ts';
import { apiServerLoadBalancer } from './api-server-load-balancer.ts';
import { aptProxy } from './apt-proxy.ts';
import { auditLog } from './audit-log.ts';
import { availabilityZones } from './availability-zones.ts';
import { bootVolume } from './boot-volume.ts';
import { cloudProvider } from './cloud-provider.ts';
import { clusterIdentity } from './cluster-identity.ts';
import { containerd } from './containerd.ts';
import type { Feature } from './feature.ts';
import { floatingIp } from './floating-ip.ts';
import { imageRepository } from './image-repository.ts';
import { keystoneAuth } from './keystone-auth.ts';
import { kubeletServingCertificates } from './kubelet-serving-certificates.ts';
import { machines } from './machines.ts';
import { networks } from './networks.ts';
import { nodeRegistration } from './node-registration.ts';
import { openidConnect } from './openid-connect.ts';
import { operatingSystem } from './operating-system.ts';
import { serverGroup } from './server-group.ts';
import { tls } from './tls.ts';
import { volumes } from './volumes.ts';

/** Every feature of the class, in the order in which the patch engine applies their patches, each to what the one before left. */
export const features: readonly Feature[] = [
  // The cloud around the cluster.
  clusterIdentity,
  networks,
  floatingIp,
  apiServerLoadBalancer,
  availabilityZones,
  // The servers.
  machines,
  bootVolume,
  serverGroup,
  volumes,
  // The API server.
  cloudProvider,
  admissionPlugins,
  tls,
  auditLog,
  openidConnect,
  keystoneAuth,
  // The nodes; containerd opens the workers' list of files.
  imageRepository,
  containerd,
  aptProxy,
  kubeletServingCertificates,
  nodeRegistration,
  operatingSystem,
];
