import { supportedMinors } from '../supported-version.ts';

const { oldest, newest } = supportedMinors;

/** What the catalogue says of releases that are for one minor each, e.g. `Kubernetes 1.31`. */
export const supportedReleases: readonly string[] = Array.from(
  { length: newest - oldest + 1 },
  (_, index) => `Kubernetes 1.${oldest + index}`,
);
