import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Manifest } from '../../local/manifests/read-manifests.ts';
import { kustomized, withComponents } from './kustomize.ts';

/** One may stand inside of another, which it goes with. */
const components = globSync('**/kustomization.yaml', {
  cwd: fileURLToPath(new URL('../../knative/components/', import.meta.url)),
})
  .map((file) => dirname(file))
  .toSorted();

/** Those that an installation may have all at once; each of the others brings a Broker of its own. */
const together = components.filter((name) => name !== 'rabbitmq' && name !== 'single-node');

type Overlay = readonly [name: string, build: () => Promise<readonly Manifest[]>];

/** Everything of knative/ that somebody can apply: the base, each component over it, those that go together, and the examples. */
export const overlays: readonly Overlay[] = [
  ['base', () => kustomized('base')],
  ...components.map((name): Overlay => [`components/${name}`, () => withComponents(name)]),
  [`components ${together.join(', ')}`, () => withComponents(...together)],
  ['example', () => kustomized('example')],
  ['single-node', () => kustomized('single-node')],
];
