import type { CloudConfAccess } from '../cloud-conf/cloud-conf.ts';

/** A cloud whose certificates are of an authority that all images know. */
export const exampleAccess: CloudConfAccess = {
  authUrl: 'https://keystone.example.com:5000/v3',
  region: 'RegionOne',
  applicationCredentialId: 'c0ffee',
  applicationCredentialSecret: 'very-secret_1',
  verify: true,
  caCertificate: '',
};
