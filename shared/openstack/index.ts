export type { ApplicationCredentialAuth, Auth, NameOrId, PasswordAuth, TokenAuth } from './auth.ts';
export type { Authentication, UserOrProject } from './authentication.ts';
export { defaultVolumeType, listVolumeTypes, type VolumeType } from './block-storage.ts';
export type { CatalogEndpoint, CatalogService, EndpointInterface } from './catalog.ts';
export { hasService } from './catalog.ts';
export { parseCloud } from './cloud.ts';
export {
  type Flavor,
  findFlavor,
  getKeypair,
  getServer,
  type Keypair,
  listFlavors,
  listServers,
  matchFlavor,
  type Server,
} from './compute.ts';
export {
  AmbiguousError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  OpenStackError,
  type OpenStackErrorCode,
  PermissionError,
  ProtocolError,
  QuotaError,
  RateLimitError,
  ServiceMissingError,
  UnavailableError,
} from './errors.ts';
export type { RequestInfo } from './exchange.ts';
export { deleteFloatingIp, type FloatingIp, listFloatingIps } from './floating-ip.ts';
export {
  type ApplicationCredential,
  createApplicationCredential,
  deleteApplicationCredential,
  listApplicationCredentials,
  type NewApplicationCredential,
} from './identity.ts';
export { findImage, type Image } from './image.ts';
export { deleteLoadBalancer, getLoadBalancer, type LoadBalancer, listLoadBalancers } from './load-balancer.ts';
export { findNetwork, findSubnet, type Network, type Subnet } from './network.ts';
export type { Clock, RetryOptions } from './retry.ts';
export {
  createServerGroup,
  deleteServerGroup,
  findServerGroup,
  listServerGroups,
  type ServerGroup,
  type ServerGroupPolicy,
} from './server-group.ts';
export {
  openSession,
  type Session,
  type SessionOpener,
  type SessionOptions,
  type TimeLimits,
  withSessionOpener,
} from './session.ts';
export { listShareTypes, type ShareType } from './shared-file-system.ts';
