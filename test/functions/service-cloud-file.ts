import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';

/**
 * Writes the clouds.yaml with the functions' own credential, as an installation mounts it: the cloud's user admin.
 * @returns the variables by which a function finds it
 */
export async function writeServiceCloud(
  directory: string,
  { authUrl, caCertificate, state }: SimulatedOpenStack,
): Promise<Readonly<Record<string, string>>> {
  const { name: username, password } = state.users.find(({ name }) => name === 'admin') ?? {};
  const domains = { user_domain_id: 'default', project_domain_id: 'default' };
  const auth = { auth_url: authUrl, username, password, project_name: 'admin', ...domains };
  const file = join(directory, 'clouds.yaml');
  const authority = caCertificate === undefined ? {} : { cacert: join(directory, 'ca.pem') };
  if (caCertificate !== undefined) await writeFile(join(directory, 'ca.pem'), caCertificate);
  await writeFile(file, dump({ clouds: { default: { auth, ...authority } } }), { mode: 0o600 });
  return { OS_CLIENT_CONFIG_FILE: file };
}
