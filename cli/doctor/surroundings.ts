import type { Manifest } from '../../local/manifests/read-manifests.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { ApiReader } from './api-reader.ts';

/** Everything that checks look at. */
export interface Surroundings {
  readonly api: ApiReader;
  /** Reads, and writes nothing that is stored. */
  readonly client: KubernetesClient;
  /** Objects of knative/base of this release. */
  readonly manifests: readonly Manifest[];
  /** Version of this release. */
  readonly version: string;
  /** Keystone's URL as Magnum has it; undefined where nobody says it. */
  readonly authUrl: string | undefined;
  /** PEM of the private authority of that URL. */
  readonly caCertificate: string | undefined;
  /** This machine's clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Aborts when a check's time is up. */
  readonly signal: AbortSignal;
}
