import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { runCommand } from '../env/run-command.ts';

const command = fileURLToPath(new URL('../../scripts/image/main.ts', import.meta.url));

/** 2026-01-01. */
export const sourceDateEpoch = 1_767_225_600;

export interface ImageBuildOptions {
  /** File that locks its packages. @default the project's */
  readonly lock?: string | undefined;
  /** Further options of the command line. @default none */
  readonly options?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Octal. @default this process's */
  readonly umask?: string;
}

/** Builds the image as `npm run image` does. @returns what it prints */
export async function buildImageInto(folder: string, build: ImageBuildOptions = {}): Promise<string> {
  const { lock, options = [], environment = {}, umask = '0022' } = build;
  // The revision is said, so that a commit between two builds is no difference.
  const locked = lock === undefined ? [] : ['--lock', lock];
  const args = [command, '--output', folder, '--revision', 'a-test', ...locked, ...options];
  const script = `umask ${umask}; exec "$0" "$@"`;
  return runCommand('/bin/sh', ['-c', script, process.execPath, ...args], {
    environment: { ...process.env, SOURCE_DATE_EPOCH: String(sourceDateEpoch), ...environment },
  });
}

const descriptor = z.object({
  mediaType: z.string(),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  size: z.int(),
  artifactType: z.string().optional(),
  platform: z.object({ architecture: z.string(), os: z.string() }).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});

export type Descriptor = z.output<typeof descriptor>;

const index = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.literal('application/vnd.oci.image.index.v1+json'),
  manifests: z.array(descriptor),
});

const manifest = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.literal('application/vnd.oci.image.manifest.v1+json'),
  artifactType: z.string().optional(),
  config: descriptor,
  layers: z.array(descriptor),
  subject: descriptor.optional(),
});

const config = z.object({
  created: z.string(),
  architecture: z.string(),
  os: z.literal('linux'),
  config: z.object({
    User: z.string(),
    ExposedPorts: z.record(z.string(), z.object({})),
    Env: z.array(z.string()),
    Entrypoint: z.array(z.string()),
    WorkingDir: z.string(),
    StopSignal: z.string(),
    Labels: z.record(z.string(), z.string()),
  }),
  rootfs: z.object({ type: z.literal('layers'), diff_ids: z.array(z.string()) }),
  history: z.array(z.object({ created: z.string() })),
});

/** An image layout as it was written. */
export interface ReadLayout {
  readonly image: Descriptor;
  readonly manifest: z.output<typeof manifest>;
  readonly config: z.output<typeof config>;
  /** Manifests of what is no image. */
  readonly artifacts: readonly z.output<typeof manifest>[];
  blob(descriptor: Descriptor): Promise<Buffer>;
}

export async function readLayout(folder: string): Promise<ReadLayout> {
  const { manifests } = index.parse(JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')));
  const blob = ({ digest }: Descriptor) => readFile(join(folder, 'blobs', digest.replace(':', '/')));
  const document = async (described: Descriptor): Promise<unknown> => JSON.parse((await blob(described)).toString());
  const image = manifests.find(({ platform }) => platform !== undefined);
  if (image === undefined) throw new Error('The layout has no image.');
  const read = manifest.parse(await document(image));
  const others = manifests.filter((one) => one !== image);
  return {
    image,
    manifest: read,
    config: config.parse(await document(read.config)),
    artifacts: await Promise.all(others.map(async (one) => manifest.parse(await document(one)))),
    blob,
  };
}

/** Unpacks an image's layers into a folder, with owners and modes where this process is root. */
export async function unpackImage(folder: string, target: string): Promise<ReadLayout> {
  const layout = await readLayout(folder);
  for (const { digest } of layout.manifest.layers) {
    const layer = join(folder, 'blobs', digest.replace(':', '/'));
    const how = ['--extract', '--gzip', '--same-permissions', '--numeric-owner'];
    await runCommand('tar', [...how, '--file', layer, '--directory', target]);
  }
  return layout;
}
