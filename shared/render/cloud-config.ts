import * as z from 'zod';
import { type OperationRecord, parseRecord } from '../kubernetes/operation-record.ts';
import { base64 } from './base64.ts';
import type { CloudCredential } from './cloud-facts.ts';
import { clusterUuidLabel, managedByLabel, managementNamespace } from './metadata.ts';
import type { Secret } from './rendered-object.ts';
import { stackNames } from './stack-names.ts';
import { yamlMapping } from './yaml-mapping.ts';

/** Name of the only cloud in clouds.yaml; every identityRef names it. */
export const cloudName = 'default';

/** What deletion needs to know after the Cluster is gone (design §4); nothing of it is secret. */
export interface CloudConfigRecord {
  readonly uuid: string;
  readonly projectId: string;
  /** Owner of the application credential. */
  readonly userId: string;
  readonly applicationCredentialId: string;
  /** Ids of the cluster's Nova server groups by their names. */
  readonly serverGroups: Readonly<Record<string, string>>;
  /** Credentials that a rotation has replaced and that are not deleted yet. */
  readonly replacedCredentials: readonly CredentialReference[];
  /** Id of the event whose rotation the credential comes from; null = it is the first. */
  readonly rotatedBy: string | null;
  /** The delete mark with its deadline; null = nobody asked to delete the cluster. */
  readonly deleteRequested: OperationRecord | null;
}

/** An application credential; only its owner, or somebody who acts for the cloud, can delete it. */
export interface CredentialReference {
  readonly id: string;
  readonly userId: string;
}

const annotation = {
  projectId: 'magnum.openstack.org/project-id',
  userId: 'magnum.openstack.org/application-credential-user-id',
  applicationCredentialId: 'magnum.openstack.org/application-credential-id',
  serverGroups: 'magnum.openstack.org/server-groups',
  replacedCredentials: 'magnum.openstack.org/replaced-application-credentials',
  rotatedBy: 'magnum.openstack.org/credential-rotation',
  deleteRequested: 'magnum.openstack.org/delete',
} as const;

interface CloudConfigInput {
  readonly stackId: string;
  readonly credential: CloudCredential;
  readonly record: Pick<CloudConfigRecord, 'uuid' | 'projectId' | 'userId' | 'serverGroups'> & {
    /** Of a credential that comes from a rotation. @default the credential is the first */
    readonly rotation?: { readonly eventId: string; readonly replaced: readonly CredentialReference[] };
  };
}

/** Secret with the clouds.yaml by which CAPO acts as the cluster, and the record of what must outlive the Cluster. */
export function cloudConfigSecret({ stackId, credential, record }: CloudConfigInput): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: stackNames(stackId).cloudConfig,
      namespace: managementNamespace,
      labels: { [clusterUuidLabel]: record.uuid, ...managedByLabel },
      annotations: {
        ...recordAnnotations(record, credential.applicationCredentialId),
        ...rotationAnnotations(record.rotation),
      },
    },
    type: 'Opaque',
    data: cloudConfigData(credential),
  };
}

function rotationAnnotations(rotation: CloudConfigInput['record']['rotation']): Record<string, string> {
  if (rotation === undefined) return {};
  const [key, value] = replacedCredentialsAnnotation(rotation.replaced);
  return { [annotation.rotatedBy]: rotation.eventId, [key]: value };
}

/** The annotations that are the record of a cluster's Secret. */
export function recordAnnotations(
  { projectId, userId, serverGroups }: Pick<CloudConfigRecord, 'projectId' | 'userId' | 'serverGroups'>,
  applicationCredentialId: string,
): Readonly<Record<string, string>> {
  return {
    [annotation.projectId]: projectId,
    [annotation.userId]: userId,
    [annotation.applicationCredentialId]: applicationCredentialId,
    ...Object.fromEntries([serverGroupAnnotation(serverGroups)]),
  };
}

/** Keys of the Secret, base64. Without a private authority there is no `cacert`, and CAPO trusts the system's. */
function cloudConfigData(credential: CloudCredential): Record<string, string> {
  const data = { 'clouds.yaml': base64(cloudsYaml(credential)) };
  if (credential.caCertificate === null) return data;
  return { ...data, cacert: base64(credential.caCertificate) };
}

/** Every string is quoted: an id such as `1e3` or a secret such as `yes` must stay text. */
function cloudsYaml(credential: CloudCredential): string {
  const cloud = {
    auth_type: 'v3applicationcredential',
    auth: {
      auth_url: credential.authUrl,
      application_credential_id: credential.applicationCredentialId,
      application_credential_secret: credential.applicationCredentialSecret,
    },
    region_name: credential.region,
    endpoint_type: credential.endpointType,
    identity_api_version: 3,
    verify: credential.verify,
  };
  return yamlMapping({ clouds: { [cloudName]: cloud } });
}

const recordSchema = z.object({
  metadata: z.object({
    labels: z.object({ [clusterUuidLabel]: z.string() }),
    annotations: z.object({
      [annotation.projectId]: z.string(),
      [annotation.userId]: z.string(),
      [annotation.applicationCredentialId]: z.string(),
      [annotation.serverGroups]: jsonText(z.record(z.string(), z.string())),
      [annotation.replacedCredentials]: jsonText(z.array(z.object({ id: z.string(), userId: z.string() }))).prefault(
        '[]',
      ),
      [annotation.rotatedBy]: z.string().optional(),
    }),
  }),
});

function jsonText<T>(schema: z.ZodType<T>) {
  return z.string().transform((text, context) => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      context.addIssue('is not what the driver writes');
      return z.NEVER;
    }
  });
}

/** Key of the annotation with the cluster's server groups, and its value. */
export function serverGroupAnnotation(
  groups: CloudConfigRecord['serverGroups'],
): readonly [key: string, value: string] {
  return [annotation.serverGroups, JSON.stringify(groups)];
}

/** Key of the annotation with the credentials that a rotation has replaced, and its value. */
export function replacedCredentialsAnnotation(
  credentials: CloudConfigRecord['replacedCredentials'],
): readonly [key: string, value: string] {
  return [annotation.replacedCredentials, JSON.stringify(credentials)];
}

/** Key of the annotation that marks a cluster for deletion, and its value. */
export function deleteMark(record: OperationRecord): readonly [key: string, value: string] {
  return [annotation.deleteRequested, JSON.stringify(record)];
}

/** The record on a cloud-config Secret; null on one of the original driver's, which has none. */
export function readCloudConfigRecord(secret: unknown): CloudConfigRecord | null {
  const parsed = recordSchema.safeParse(secret);
  if (!parsed.success) return null;
  const { labels, annotations } = parsed.data.metadata;
  return {
    uuid: labels[clusterUuidLabel],
    projectId: annotations[annotation.projectId],
    userId: annotations[annotation.userId],
    applicationCredentialId: annotations[annotation.applicationCredentialId],
    serverGroups: annotations[annotation.serverGroups],
    replacedCredentials: annotations[annotation.replacedCredentials],
    rotatedBy: annotations[annotation.rotatedBy] ?? null,
    deleteRequested: readDeleteRequest(secret),
  };
}

const markSchema = z.object({
  metadata: z.object({ annotations: z.object({ [annotation.deleteRequested]: z.string() }) }),
});

/** The delete mark on a cloud-config Secret, also on one of the original driver's; null where there is none. */
export function readDeleteRequest(secret: unknown): OperationRecord | null {
  const parsed = markSchema.safeParse(secret);
  return parsed.success ? parseRecord(parsed.data.metadata.annotations[annotation.deleteRequested]) : null;
}
