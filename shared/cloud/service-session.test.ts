import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoCredential } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { DependencyError } from '../contract/errors.ts';
import { openServiceSession } from './service-session.ts';

let cloud: SimulatedOpenStack;
let folder = '';

beforeAll(async () => {
  cloud = await startSimulatedOpenStack({ https: true });
  folder = await mkdtemp(join(tmpdir(), 'magnum-service-session-'));
});

afterAll(async () => {
  await cloud.stop();
  await rm(folder, { recursive: true });
});

async function written(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

function cloudsYaml(cacert: string): string {
  const { id, secret } = demoCredential(cloud);
  return `clouds:
  service:
    auth:
      auth_url: ${cloud.authUrl}
      application_credential_id: ${id}
      application_credential_secret: ${secret}
    region_name: RegionOne
    cacert: ${cacert}
`;
}

describe("the functions' own credential", () => {
  test('signs in by the certificate authority that it names', async () => {
    const file = await written('clouds.yaml', cloudsYaml(await written('ca.pem', cloud.caCertificate ?? '')));
    const session = await openServiceSession({ file, name: 'service' }, undefined);
    expect((await session.authentication()).methods).toContain('application_credential');
    session.close();
  });

  test.each([
    ['is missing', async () => join(folder, 'nothing.yaml')],
    ['is no YAML', () => written('no.yaml', '{')],
    ['lacks the cloud', () => written('other.yaml', 'clouds: {}')],
    ['names an authority that is missing', () => written('no-ca.yaml', cloudsYaml(join(folder, 'none.pem')))],
  ])('whose file %s is named, without what stands in it', async (_title, make) => {
    const opening = openServiceSession({ file: await make(), name: 'service' }, undefined);
    const error: unknown = await opening.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DependencyError);
    expect(String(error)).toContain(folder);
    expect(String(error)).not.toContain(demoCredential(cloud).secret);
  });
});
