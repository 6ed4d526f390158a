import { base64 } from '../base64.ts';

/** A file that a node is born with (bootstrap.cluster.x-k8s.io/v1beta2). */
export type NodeFile = {
  readonly path: string;
  readonly owner: 'root:root';
  readonly permissions: string;
  /** Everywhere: cloud-init would take `{{` in plain text for a template of its own. */
  readonly encoding: 'base64';
  readonly content: string;
};

/** A file of root's. @param permissions octal, e.g. `0644`. */
export function nodeFile(path: string, permissions: string, text: string): NodeFile {
  return { path, owner: 'root:root', permissions, encoding: 'base64', content: base64(text) };
}
