import * as z from 'zod';
import { base64 } from '../../base64.ts';
import { type CloudConfAccess, withAccess } from './cloud-conf.ts';
import { type CloudConfigContent, cloudConfigManifest, workloadCloudConfig } from './cloud-config-manifest.ts';
import { changeDocuments, type ManifestFiles, readDocuments } from './manifest-files.ts';
import { type MountingWorkload, mountingWorkload, restartedFor } from './mounting-workload.ts';

/** Secret in the workload cluster from which Manila CSI takes the credential at each call. */
const manilaSecret = 'csi-manila-secrets';

const texts = z.record(z.string(), z.string()).default({});
const secretManifest = z.looseObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Secret'),
  metadata: z.looseObject({ name: z.string(), namespace: z.string() }),
  data: texts,
  stringData: texts,
});
type SecretManifest = z.infer<typeof secretManifest>;

/** The content of `kube-system/cloud-config` in the manifests; null where they do not bring it. */
export function findCloudConfig(files: ManifestFiles): CloudConfigContent | null {
  for (const text of Object.values(files)) {
    const found = readDocuments(text).flatMap((document) => readCloudConfig(document) ?? []);
    if (found[0] !== undefined) return found[0];
  }
  return null;
}

/** The workloads that read `kube-system/cloud-config` at their start. */
export function findMountingWorkloads(files: ManifestFiles): readonly MountingWorkload[] {
  return Object.values(files).flatMap((text) =>
    readDocuments(text).flatMap((document) => mountingWorkload(document) ?? []),
  );
}

/**
 * Files in which the credential stands, with another one. No workload changes: it may start again only when the new
 * Secret is applied, and Cluster API goes on with the next object where one cannot be applied.
 */
export function withCredential(files: ManifestFiles, access: CloudConfAccess): Record<string, string> {
  return changeDocuments(files, (document) => {
    const parsed = secretManifest.safeParse(document);
    if (!parsed.success || parsed.data.metadata.namespace !== workloadCloudConfig.namespace) return document;
    if (parsed.data.metadata.name === manilaSecret) return moveManilaSecret(document, parsed.data, access);
    return parsed.data.metadata.name === workloadCloudConfig.name ? moveCloudConfig(document, access) : document;
  });
}

/** Files in which a workload has not been started for this content, with the change that starts it again. */
export function withRestart(files: ManifestFiles, hash: string): Record<string, string> {
  return changeDocuments(files, (document) => {
    const workload = mountingWorkload(document);
    return workload === null || workload.hash === hash ? document : restartedFor(document, hash);
  });
}

function moveCloudConfig(document: unknown, access: CloudConfAccess): unknown {
  const content = readCloudConfig(document);
  if (content === null) return document;
  // An upgrade drops an authority; by then the pods that are told of its file may not find it empty.
  const caCertificate = access.caCertificate || content.caCertificate;
  const cloudConf = withAccess(content.cloudConf, { ...access, caCertificate });
  const isSame = content.cloudConf === cloudConf && content.caCertificate === caCertificate;
  return isSame ? document : cloudConfigManifest({ cloudConf, caCertificate });
}

function readCloudConfig(document: unknown): CloudConfigContent | null {
  const parsed = secretManifest.safeParse(document);
  if (!parsed.success) return null;
  const { name, namespace } = parsed.data.metadata;
  if (name !== workloadCloudConfig.name || namespace !== workloadCloudConfig.namespace) return null;
  return { cloudConf: textOf(parsed.data, 'cloud.conf'), caCertificate: textOf(parsed.data, 'ca.crt') };
}

function moveManilaSecret(document: unknown, secret: SecretManifest, access: CloudConfAccess): unknown {
  const wanted = {
    'os-applicationCredentialID': access.applicationCredentialId,
    'os-applicationCredentialSecret': access.applicationCredentialSecret,
  };
  const isSame = Object.entries(wanted).every(([key, value]) => textOf(secret, key) === value);
  if (isSame) return document;
  const kept = Object.entries(secret.stringData).map(([key, value]) => [key, base64(value)]);
  const changed = Object.entries(wanted).map(([key, value]) => [key, base64(value)]);
  const { stringData: _, ...rest } = secret;
  return { ...rest, data: { ...secret.data, ...Object.fromEntries(kept), ...Object.fromEntries(changed) } };
}

/** `stringData` goes before `data`, as for the API server. */
function textOf({ data, stringData }: SecretManifest, key: string): string {
  return stringData[key] ?? Buffer.from(data[key] ?? '', 'base64').toString('utf8');
}
