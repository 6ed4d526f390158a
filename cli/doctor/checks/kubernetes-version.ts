import * as z from 'zod';
import { type Check, failure, good } from '../check.ts';

/** The oldest that Knative 1.22 runs on. */
const oldest = { major: 1, minor: 34 };

const version = z.object({ major: z.string(), minor: z.string(), gitVersion: z.string() });

export const kubernetesVersionCheck: Check = {
  id: 'kubernetes-version',
  description: `The management cluster runs Kubernetes ${oldest.major}.${oldest.minor} or newer, as Knative 1.22 needs.`,
  remedy: `Upgrade the management cluster to Kubernetes ${oldest.major}.${oldest.minor} or newer.`,
  async run({ api, signal }) {
    const { major, minor, gitVersion } = await api.read('/version', version, signal);
    // Some distributions write 34+.
    const [given, least] = [[major, minor].map((part) => Number.parseInt(part, 10)), [oldest.major, oldest.minor]];
    const isOld = (given[0] ?? 0) < (least[0] ?? 0) || (given[0] === least[0] && (given[1] ?? 0) < (least[1] ?? 0));
    const what = `The management cluster runs Kubernetes ${gitVersion}`;
    return [isOld ? failure(`${what}, which is older than Knative needs.`) : good(`${what}.`)];
  },
};
