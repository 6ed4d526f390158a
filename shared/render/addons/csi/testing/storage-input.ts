import { sampleSnapshot } from '../../../../magnum/sample-snapshots.ts';
import { toClusterIntent } from '../../../../magnum/to-cluster-intent.ts';
import type { AddonInput, CloudServices } from '../../addon.ts';

const services: CloudServices = {
  volumeTypes: ['ssd', 'SSD fast', '__DEFAULT__'],
  defaultVolumeType: 'ssd',
  shareTypes: ['gold'],
};

interface Changes extends Partial<Omit<AddonInput, 'services'>> {
  readonly labels?: Readonly<Record<string, string>>;
  readonly services?: Partial<CloudServices>;
}

/** A cluster in a cloud with all that storage drivers ask for. */
export function storageInput({ labels = {}, services: offered, ...changes }: Changes = {}): AddonInput {
  const outcome = toClusterIntent(sampleSnapshot({ labels }));
  if (!('intent' in outcome)) throw new Error(JSON.stringify(outcome.faults));
  return {
    intent: outcome.intent,
    access: {
      authUrl: 'https://keystone.example.com:5000',
      region: 'RegionOne',
      applicationCredentialId: 'c0ffee',
      applicationCredentialSecret: 'very-secret_1',
      verify: true,
      caCertificate: 'PEM',
    },
    services: { ...services, ...offered },
    keystonePolicy: '',
    image: ({ repository, tag }) => `${repository}:${tag}`,
    ...changes,
  };
}
