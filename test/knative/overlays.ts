import type { Manifest } from '../../local/manifests/read-manifests.ts';
import { kustomized, withComponents } from './kustomize.ts';

/** Everything of knative/ that somebody can apply: the base, each component over it, those that go together, and the examples. */
export const overlays: readonly (readonly [name: string, build: () => Promise<readonly Manifest[]>])[] = [
  ['base', () => kustomized('base')],
  ['components/kafka', () => withComponents('kafka')],
  ['components/rabbitmq', () => withComponents('rabbitmq')],
  ['components/tls', () => withComponents('tls')],
  ['components/oidc', () => withComponents('oidc')],
  ['components/single-node', () => withComponents('single-node')],
  ['components kafka, tls and oidc', () => withComponents('kafka', 'tls', 'oidc')],
  ['example', () => kustomized('example')],
  ['single-node', () => kustomized('single-node')],
];
