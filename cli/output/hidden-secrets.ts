import { loadAll, YAMLException } from 'js-yaml';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resourceSetType } from '../../shared/render/addons/addon-secrets.ts';
import { yamlDocuments } from './yaml-documents.ts';

const hidden = '(hidden)';
/** Parts of a Secret that anybody may see. */
const publicKeys = new Set(['tls.crt', 'ca.crt', 'cacert']);
const credentials = /(:\/\/)[^\s/@]+@/g;

/**
 * The object as it may be shown: a Secret with its values hidden, one with manifests of an add-on with these readable and their
 * own Secrets hidden; credentials in URLs are hidden everywhere.
 */
export function withHiddenSecrets(object: KubernetesObject): object {
  if (object.kind !== 'Secret') return cleaned(object);
  const { data, ...rest } = { data: undefined, ...object };
  const isManifests = 'type' in object && object.type === resourceSetType;
  const show = isManifests ? ([key, value]: [string, string]) => [key, shownManifests(decoded(value))] : shownEntry;
  return { ...rest, stringData: Object.fromEntries(entriesOf(data).map(show)) };
}

function entriesOf(data: unknown): [string, string][] {
  return Object.entries(Object(data)).map(([key, value]) => [key, String(value)]);
}

function shownEntry([key, value]: [string, string]): [string, string] {
  if (publicKeys.has(key)) return [key, decoded(value)];
  return [key, key === 'clouds.yaml' ? shownCloud(decoded(value)) : hidden];
}

/** Everything but the secret is what one wants to check. */
function shownCloud(text: string): string {
  return text.replace(/^(\s*application_credential_secret:).*$/m, `$1 ${hidden}`);
}

function shownManifests(text: string): string {
  try {
    return yamlDocuments(loadAll(text).map((manifest) => shownManifest(manifest)));
  } catch (error) {
    if (error instanceof YAMLException) return hidden;
    throw error;
  }
}

function shownManifest(manifest: unknown): unknown {
  if (typeof manifest !== 'object' || manifest === null) return manifest;
  const isSecret = 'kind' in manifest && manifest.kind === 'Secret';
  if (!isSecret) return cleaned(manifest);
  const hide = (values: unknown) => Object.fromEntries(entriesOf(values).map(([key]) => [key, hidden]));
  const fields = Object.entries(manifest).map(([key, value]) => [
    key,
    key === 'data' || key === 'stringData' ? hide(value) : value,
  ]);
  return Object.fromEntries(fields);
}

/** Texts without the credentials of their URLs; also where they are base64, as files for nodes are. */
function cleaned(value: object): object {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'string' ? cleanText(part) : part,
  );
}

function cleanText(text: string): string {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]{16,}={0,2}$/.test(text);
  if (isBase64 && decoded(text).search(credentials) >= 0) return hidden;
  return text.replace(credentials, `$1${hidden}@`);
}

function decoded(value: string): string {
  return Buffer.from(value, 'base64').toString('utf8');
}
