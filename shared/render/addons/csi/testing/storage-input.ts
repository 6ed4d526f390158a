import type { AddonInput } from '../../addon.ts';
import { addonInput } from '../../testing/addon-input.ts';
import { intentOf } from '../../testing/intent-of.ts';

type Changes = NonNullable<Parameters<typeof addonInput>[0]> & {
  readonly labels?: Readonly<Record<string, string>>;
};

/** A cluster in a cloud with all that storage drivers ask for, and an authority of its own. */
export function storageInput({ labels = {}, access, services, ...changes }: Changes = {}): AddonInput {
  return addonInput({
    intent: intentOf({ labels }),
    access: { caCertificate: 'PEM', ...access },
    services: {
      volumeTypes: ['ssd', 'SSD fast', '__DEFAULT__'],
      defaultVolumeType: 'ssd',
      shareTypes: ['gold'],
      ...services,
    },
    ...changes,
  });
}
