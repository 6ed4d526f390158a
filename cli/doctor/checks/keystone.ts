import { type Check, failure, good, skipped } from '../check.ts';
import { keystoneAddress } from '../cloud-config.ts';
import { askKeystone } from '../keystone-answer.ts';

export const keystoneCheck: Check = {
  id: 'keystone',
  description:
    "Keystone answers, over TLS that can be trusted: at `--auth-url` or OS_AUTH_URL, else where the functions' own credential or a cluster has it. It is asked from where the command runs.",
  remedy:
    'Compare the address with [keystone_auth] auth_url of magnum.conf; for a private authority set OS_CACERT, and [drivers] openstack_ca_file for the functions.',
  async run(surroundings) {
    const address = await keystoneAddress(surroundings);
    if (address === undefined) return [skipped('Nothing says yet where Keystone is: say --auth-url.')];
    try {
      const { version } = await askKeystone(address, surroundings.signal);
      return [good(`Keystone at ${address.url} answers with ${version}.`)];
    } catch (error) {
      return [failure(error instanceof Error ? error.message : String(error))];
    }
  },
};
