import { afterAll, beforeAll } from 'vitest';
import { type SystemOfFile, systemOfFile } from '../system/system-of-file.ts';
import { OriginalDriver } from './original-driver.ts';

/** Types whose names the original can write: it makes keys of Secrets and unquoted YAML of them. */
const volumeTypes = ['ssd', 'hdd'];

export type AdoptionStage = ReturnType<SystemOfFile> & { readonly original: OriginalDriver };

/** The whole system for one test file, with the original driver on the same control plane and cloud. @throws Error before the tests run */
export function adoptionOfFile(): () => AdoptionStage {
  const system = systemOfFile();
  let original: OriginalDriver | undefined;
  beforeAll(async () => {
    const { cloud, controlPlane } = system();
    cloud.state.volumeTypes = cloud.state.volumeTypes.filter(({ name }) => volumeTypes.includes(name));
    original = await OriginalDriver.start({ kubeconfigPath: controlPlane.kubeconfigPath, cloud });
    // Its Python environment and helm may have to be made first.
  }, 1_200_000);
  afterAll(() => original?.stop());
  return () => {
    if (original === undefined) throw new Error('The original driver is there only while tests run.');
    return Object.assign(system(), { original });
  };
}
