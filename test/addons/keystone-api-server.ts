import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { keystoneAuth, webhookDirectory, webhookFile } from '../../shared/render/cluster-class/keystone-auth.ts';
import { apiServerArguments, kubeadm } from '../../shared/render/cluster-class/paths.ts';
import { type CertificateSigner, createSigner, type KeyPair } from '../cloud/workload/certificate-signer.ts';
import { makeAuthorities } from '../cloud/workload/example-authorities.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { freePorts } from '../env/free-ports.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';

/** A real API server that asks Keystone as the class makes one do. */
export interface KeystoneApiServer {
  /** Where the class's files look for the authenticator. */
  readonly authenticatorPort: number;
  readonly authenticatorCertificate: KeyPair;
  /** A member of system:masters. */
  readonly administrator: KubernetesApi;
  /** Whoever has a certificate of the cluster's authority. */
  withCertificate(commonName: string, organization: string): Promise<KubernetesApi>;
  withToken(token: string): KubernetesApi;
  stop(): Promise<void>;
}

const argument = z.object({ name: z.string(), value: z.string() });
const file = z.object({ path: z.string(), content: z.base64() });

/** @param authorization Name of the class's patch that says who is asked whether a request is allowed. */
export async function startKeystoneApiServer(authorization: string): Promise<KeystoneApiServer> {
  const directory = await mkdtemp(join(tmpdir(), 'keystone-api-server-'));
  const [authenticatorPort = 0] = await freePorts(1);
  const here = (text: string) =>
    text.replaceAll(webhookDirectory, join(directory, 'webhooks')).replaceAll(':8443/', `:${authenticatorPort}/`);
  const { ca } = await makeAuthorities('keystone', 'ECDSA');
  const authority = join(directory, 'ca.crt');
  await mkdir(join(directory, 'webhooks'));
  await writeFile(authority, ca.certificate);
  const { args, files } = readPatches(['keystoneAuth', authorization]);
  for (const { path, content } of [webhookFile, ...files]) {
    await writeFile(here(path), here(Buffer.from(content, 'base64').toString()));
  }
  const flags = args.map(({ name, value }) => `--${name}=${here(value)}`);
  const controlPlane = await startControlPlane({
    managers: false,
    apiServerAccess: [`--client-ca-file=${authority}`, ...flags],
  });
  return connected(controlPlane, { directory, authenticatorPort, signer: await createSigner(ca) });
}

/** What the patches add to kubeadm's configuration. */
function readPatches(names: readonly string[]) {
  const patches = keystoneAuth.patches.filter(({ name }) => names.includes(name));
  if (patches.length !== names.length) throw new Error(`The class has not all of the patches ${names.join(', ')}.`);
  const added = patches.flatMap(({ definitions }) => definitions.flatMap(({ jsonPatches }) => jsonPatches));
  const valuesAt = (path: string) => added.flatMap((one) => (one.path === path && 'value' in one ? [one.value] : []));
  return {
    args: z.array(argument).parse(valuesAt(`${apiServerArguments}/-`)),
    files: z.array(file).parse(valuesAt(`${kubeadm}/files/-`)),
  };
}

interface Parts {
  readonly directory: string;
  readonly authenticatorPort: number;
  readonly signer: CertificateSigner;
}

async function connected(controlPlane: ControlPlane, { directory, authenticatorPort, signer }: Parts) {
  const { server, caCertificate } = controlPlane;
  const opened: KubernetesApi[] = [];
  const open = (api: KubernetesApi) => {
    opened.push(api);
    return api;
  };
  return {
    authenticatorPort,
    authenticatorCertificate: await signer.sign({ commonName: 'k8s-keystone-auth' }),
    administrator: open(connectApi({ server, caCertificate, token: controlPlane.adminToken })),
    withCertificate: async (commonName: string, organization: string) => {
      const { certificate, privateKey } = await signer.sign({ commonName, organization });
      return open(connectApi({ server, caCertificate, clientCertificate: certificate, clientKey: privateKey }));
    },
    withToken: (token: string) => open(connectApi({ server, caCertificate, token })),
    stop: async () => {
      for (const api of opened) api.close();
      await controlPlane.stop();
      await rm(directory, { recursive: true });
    },
  };
}
