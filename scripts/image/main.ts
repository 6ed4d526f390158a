import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ownArchitecture } from './architecture.ts';
import { type BuiltImage, buildImage, imageContents } from './build-image.ts';
import { imageVersion } from './image-config.ts';
import { ImageError } from './image-error.ts';
import type { Progress } from './progress.ts';
import { updatePackageLock } from './update-package-lock.ts';
import { checkTarget, sbomPath, writeArchive, writeLayout } from './write-layout.ts';
import { checkEmpty, writeRootfs } from './write-rootfs.ts';

const defaultOutput = fileURLToPath(new URL('../../dist/image', import.meta.url));

const usage = `Usage: npm run image [-- options]

Builds the container image as an OCI image layout, without a daemon, and its bill of materials (CycloneDX) beside it.
  --output <folder>   where the layout goes; one that is there is replaced (default: dist/image)
  --tar <file>        write an archive too, for "docker load", "podman load" and "skopeo copy oci-archive:"
  --rootfs <folder>   only write what is inside, as a folder for each layer; Containerfile takes it from there
  --base <folder>     a root file system of your own, with the libraries of C and C++, in place of Debian's packages
  --revision <id>     the commit, for a checkout without git
  --no-cache          compress every layer anew
  --lock <file>       packages and Node as this file has them (default: scripts/image/packages.lock.json)
  --update-packages   only lock the newest packages of Debian, and the installed Node, in the lock
  --help

The same commit gives the same digest on the same architecture. SOURCE_DATE_EPOCH replaces the time of the commit.

  npm run image -- --tar dist/image.tar
  skopeo copy oci:dist/image:${imageVersion} docker://registry.example/magnum-capi-functions:${imageVersion}`;

const options = {
  output: { type: 'string', default: defaultOutput },
  tar: { type: 'string' },
  rootfs: { type: 'string' },
  base: { type: 'string' },
  revision: { type: 'string' },
  lock: { type: 'string' },
  'no-cache': { type: 'boolean', default: false },
  'update-packages': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nTry "npm run image -- --help".`);
    return undefined;
  }
}

type Values = NonNullable<ReturnType<typeof parse>>;

/** @returns 0, 1 where there is no image, 2 for a wrong usage */
async function main(args: readonly string[]): Promise<number> {
  const values = parse(args);
  if (values === undefined) return 2;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  try {
    await run(values, (line) => console.error(line));
    return 0;
  } catch (error) {
    if (!(error instanceof ImageError) && !isOfSystem(error)) throw error;
    console.error(error instanceof ImageError ? error.message : `There is no image: ${error.message}`);
    return 1;
  }
}

/** What the machine refuses, as a full disk: its own sentence says enough. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

async function run(values: Values, progress: Progress): Promise<void> {
  const { base, lock, revision, rootfs } = values;
  if (values['update-packages']) return updatePackageLock({ architecture: ownArchitecture(), lock, progress });
  if (rootfs !== undefined) {
    await checkEmpty(rootfs);
    return writeRootfs(await imageContents({ base, lock, revision, progress }), rootfs);
  }
  await checkTarget(values.output);
  const image = await buildImage({ base, lock, revision, useCache: !values['no-cache'], progress });
  progress('writing');
  await writeLayout(image, values.output);
  if (values.tar !== undefined) await writeArchive(image, values.tar);
  for (const line of summary(image, values)) console.log(line);
}

function summary({ image, layers }: BuiltImage, { output, tar }: Values): readonly string[] {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const sizes = layers.map(
    ({ purpose, content, compressed }) =>
      `${megabytes(compressed.byteLength).padStart(9)} ${megabytes(content.byteLength).padStart(9)} unpacked  ${purpose}`,
  );
  const paths = [output, sbomPath(output), ...(tar === undefined ? [] : [tar])].map((path) => relative('', path));
  return [...sizes, `${image.digest}  ${paths.join('  ')}`];
}

process.exitCode = await main(process.argv.slice(2));
