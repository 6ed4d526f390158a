import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import type { KubernetesConnection } from './connection.ts';

export interface KubeConfigOptions {
  /** @default kubectl's own search: $KUBECONFIG, ~/.kube/config, the pod's ServiceAccount */
  readonly path?: string | undefined;
  /** @default the file's current context */
  readonly context?: string | undefined;
}

/**
 * The connection that kubectl would use: certificates, tokens, exec plug-ins, OIDC. For `local/`, `cli/` and tests: this
 * module loads `@kubernetes/client-node`, which stays out of the functions' bundles (docs/adr/0002).
 * @throws Error in one sentence when the kubeconfig lacks the context or asks for what the client cannot do.
 */
export async function kubeConfigConnection(options: KubeConfigOptions = {}): Promise<KubernetesConnection> {
  return connectionOf(loadKubeConfig(options));
}

/** The kubeconfig for parts of client-node that need it themselves, e.g. its Watch. */
export function loadKubeConfig({ path, context }: KubeConfigOptions = {}): KubeConfig {
  const config = new KubeConfig();
  if (path === undefined) config.loadFromDefault();
  else config.loadFromFile(path);
  if (context !== undefined) config.setCurrentContext(context);
  return config;
}

/** @throws as `kubeConfigConnection` */
export async function connectionOf(config: KubeConfig): Promise<KubernetesConnection> {
  const cluster = config.getCurrentCluster();
  if (cluster === null)
    throw new Error(`The kubeconfig has no cluster for the context "${config.getCurrentContext()}".`);
  if (cluster.proxyUrl !== undefined) throw new Error('The kubeconfig names a proxy-url, which is not supported.');
  if (config.getCurrentUser()?.impersonateUser !== undefined) {
    throw new Error('The kubeconfig impersonates a user, which is not supported.');
  }

  const options = await requestOptions(config);
  return {
    server: cluster.server,
    caCertificate: pem(options.ca),
    serverName: cluster.tlsServerName,
    insecureSkipTlsVerify: cluster.skipTLSVerify,
    clientCertificate: clientCertificate(options),
    token: bearerToken(options) === undefined ? undefined : () => currentToken(config),
  };
}

/** Runs what the user entry asks for, e.g. an exec plug-in; client-node keeps the result until it expires. */
async function requestOptions(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return options;
}

async function currentToken(config: KubeConfig): Promise<string> {
  const token = bearerToken(await requestOptions(config));
  if (token === undefined) throw new Error('The user of the kubeconfig no longer gives a token.');
  return token;
}

function bearerToken({ headers }: RequestOptions): string | undefined {
  const authorization = headers !== undefined && 'Authorization' in headers ? headers['Authorization'] : undefined;
  return typeof authorization === 'string' ? authorization.replace(/^Bearer /, '') : undefined;
}

function clientCertificate({ cert, key }: RequestOptions): KubernetesConnection['clientCertificate'] {
  const certificate = pem(cert);
  const privateKey = pem(key);
  return certificate === undefined || privateKey === undefined ? undefined : { certificate, privateKey };
}

function pem(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString('utf8') : undefined;
}
