import { gunzipSync } from 'node:zlib';
import { load } from 'js-yaml';
import * as z from 'zod';

/** What a machine finds in its user data. */
export interface BootstrapData {
  readonly format: 'cloud-config' | 'ignition';
  /** Contents by path. */
  readonly files: ReadonlyMap<string, string>;
  /** What runs in order; with Ignition it is the one script of its kubeadm unit. */
  readonly commands: readonly string[];
}

const cloudConfig = z.object({
  write_files: z
    .array(z.object({ path: z.string(), content: z.string().default(''), encoding: z.string().default('text/plain') }))
    .default([]),
  runcmd: z.array(z.union([z.string(), z.array(z.string()).transform((words) => words.join(' '))])).default([]),
});

const ignitionConfig = z.object({
  ignition: z.object({ version: z.string() }),
  storage: z
    .object({
      files: z
        .array(
          z.object({
            path: z.string(),
            contents: z.object({ source: z.string().default(''), compression: z.string().default('') }).optional(),
          }),
        )
        .default([]),
    })
    .default({ files: [] }),
});

/** Where Cluster API's Ignition config has its script (clc.go of the kubeadm bootstrap provider). */
const ignitionScript = '/etc/kubeadm.sh';

/**
 * Reads the value of a bootstrap Secret, as cloud-init or Ignition would.
 * @throws when it is neither, or a file in it cannot be decoded.
 */
export function readBootstrapData(text: string): BootstrapData {
  return text.trimStart().startsWith('{') ? readIgnition(text) : readCloudConfig(text);
}

function readCloudConfig(text: string): BootstrapData {
  if (!/^#cloud-config\s*$/m.test(text)) {
    throw new TypeError('The bootstrap data is neither a cloud-config nor an Ignition config.');
  }
  const { write_files, runcmd } = cloudConfig.parse(load(text));
  const files = write_files.map(({ path, content, encoding }) => [path, decode(content, encoding)] as const);
  return { format: 'cloud-config', files: new Map(files), commands: runcmd };
}

/** The encodings of cloud-init's write_files module; a gzip that is not in base64 cannot stand in YAML text. */
function decode(content: string, encoding: string): string {
  switch (encoding) {
    case 'text/plain':
    case '':
      return content;
    case 'b64':
    case 'base64':
      return Buffer.from(content, 'base64').toString();
    case 'gz+b64':
    case 'gzip+b64':
    case 'gz+base64':
    case 'gzip+base64':
      return gunzipSync(Buffer.from(content, 'base64')).toString();
    default:
      throw new TypeError(`cloud-init would take a file of encoding ${encoding} as it is.`);
  }
}

function readIgnition(text: string): BootstrapData {
  const { storage } = ignitionConfig.parse(JSON.parse(text));
  const files = new Map(
    storage.files.map(({ path, contents }) => [path, readSource(contents?.source ?? '', contents?.compression ?? '')]),
  );
  const script = files.get(ignitionScript);
  return { format: 'ignition', files, commands: script === undefined ? [] : [script] };
}

/** A `data:` URL (RFC 2397); an absent source is an empty file. */
function readSource(source: string, compression: string): string {
  if (source === '') {
    return '';
  }
  const [, base64, body = ''] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(source) ?? [];
  if (!source.startsWith('data:')) {
    throw new TypeError(`A machine without a network cannot read ${source}.`);
  }
  const bytes = base64 === undefined ? percentDecode(body) : Buffer.from(decodeURIComponent(body), 'base64');
  return (compression === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/** Undoes percent-encoding byte by byte: what is compressed is not UTF-8. */
function percentDecode(text: string): Buffer {
  const latin = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin, 'latin1');
}
