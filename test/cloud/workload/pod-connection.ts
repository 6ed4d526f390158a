import { request } from 'node:http';
import { Duplex, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { KubeConfig, PortForward } from '@kubernetes/client-node';
import type { KeyPair } from './certificate-signer.ts';
import type { WorkloadAccess } from './workload-cluster.ts';

export interface PodPort {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/** A connection to a pod's port through the API server and the pod's kubelet. */
export async function forwardPort(access: WorkloadAccess, { namespace, pod, port }: PodPort): Promise<Duplex> {
  const toPod = new PassThrough();
  const fromPod = new PassThrough();
  const errors = new PassThrough();
  const socket = await new PortForward(administrator(access)).portForward(
    namespace,
    pod,
    [port],
    fromPod,
    errors,
    toPod,
  );
  const connection = Duplex.from({ readable: fromPod, writable: toPod });
  errors.once('data', (message) => connection.destroy(new Error(String(message))));
  connection.once('close', () => typeof socket !== 'function' && socket.close());
  return connection;
}

interface TlsCall {
  readonly authority: string;
  readonly client: KeyPair;
  readonly path: string;
}

/** Posts an empty object over TLS through a connection and returns the answer. */
export async function post(connection: Duplex, { authority, client, path }: TlsCall): Promise<string> {
  const secured = connect({
    socket: connection,
    ca: authority,
    cert: client.certificate,
    key: client.privateKey,
    servername: 'localhost',
  });
  try {
    return await new Promise<string>((resolve, reject) => {
      const options = { method: 'POST', path, host: 'localhost', createConnection: () => secured };
      const sent = request(options, (response) => text(response).then(resolve, reject));
      secured.once('error', reject);
      connection.once('error', reject);
      sent.once('error', reject).end('{}');
    });
  } finally {
    secured.destroy();
    connection.destroy();
  }
}

function administrator(access: WorkloadAccess): KubeConfig {
  const base64 = (pem: string) => Buffer.from(pem).toString('base64');
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'workload', server: access.server, caData: base64(access.caCertificate) }],
    users: [{ name: 'admin', certData: base64(access.clientCertificate), keyData: base64(access.clientKey) }],
    contexts: [{ name: 'workload', cluster: 'workload', user: 'admin' }],
    currentContext: 'workload',
  });
  return config;
}
