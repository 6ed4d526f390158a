import { X509Certificate } from 'node:crypto';
import { get } from 'node:https';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { ForbiddenError } from '../../shared/kubernetes/errors.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { stackNames } from '../../shared/render/stack-names.ts';
import { countAt, textAt } from '../../shared/status/views/json-part.ts';

export type ProbeResult = 'answered' | 'failed';

/** Where a cluster's API is, and who signed its certificate. */
export interface ApiServer {
  readonly host: string;
  readonly port: number;
  /** PEM. */
  readonly caCertificate: string;
}

export interface ApiServerProbe {
  /**
   * Asks the API of a cluster, once at a time: whoever comes meanwhile shares the result. Undefined where it cannot be asked,
   * since its address or its certificate authority is not known.
   */
  ask(kubernetes: KubernetesClient, cluster: CustomObject): Promise<ProbeResult | undefined>;
}

/** @param timeoutMs for one answer, from the name's resolution on */
export function createApiServerProbe(timeoutMs: number): ApiServerProbe {
  const running = new Map<string, Promise<ProbeResult | undefined>>();
  return {
    ask(kubernetes, cluster) {
      const name = cluster.metadata?.name ?? '';
      const asked = running.get(name) ?? ask(kubernetes, cluster, timeoutMs).finally(() => running.delete(name));
      running.set(name, asked);
      return asked;
    },
  };
}

async function ask(kubernetes: KubernetesClient, cluster: CustomObject, timeoutMs: number) {
  const host = textAt(cluster, 'spec', 'controlPlaneEndpoint', 'host');
  const port = countAt(cluster, 'spec', 'controlPlaneEndpoint', 'port');
  if (!host || !port) return undefined;
  const caCertificate = await readAuthority(kubernetes, cluster.metadata?.name ?? '');
  return caCertificate === undefined ? undefined : await probeApiServer({ host, port, caCertificate }, timeoutMs);
}

/** The Secret holds the authority's key as well, which is left where it is. */
async function readAuthority(kubernetes: KubernetesClient, stackId: string): Promise<string | undefined> {
  const name = stackNames(stackId).certificates.ca;
  const secret = await kubernetes.find(resources.secret, { namespace, name }).catch((error: unknown) => {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  });
  const text = Buffer.from(secret?.data?.['tls.crt'] ?? '', 'base64').toString('utf8');
  return isCertificate(text) ? text : undefined;
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).ca;
  } catch {
    return false;
  }
}

/**
 * Asks without credentials. Only the cluster's own authority is trusted: an address that was given to another cluster since
 * fails. Any answer below 500 is a sign of life; 401 and 403 are those of a cluster that lets nobody in unnamed, while
 * 500 is what `/readyz` says when the API server cannot work, e.g. without etcd.
 */
export async function probeApiServer(server: ApiServer, timeoutMs: number): Promise<ProbeResult> {
  const { host, port, caCertificate: ca } = server;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const status = await new Promise<number>((resolve, reject) => {
      get({ host, port, path: '/readyz', ca, agent: false, signal }, (response) => {
        resolve(response.statusCode ?? 500);
        response.destroy();
      }).on('error', reject);
    });
    return status < 500 ? 'answered' : 'failed';
  } catch {
    return 'failed';
  }
}
