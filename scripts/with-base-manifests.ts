import type { Plugin } from 'esbuild';
import { baseManifests } from '../cli/doctor/base-manifests.ts';

/** Puts the objects of knative/base into a bundle that asks for them, in the place of reading them from the checkout. */
export const withBaseManifests: Plugin = {
  name: 'with-base-manifests',
  setup({ onLoad }) {
    onLoad({ filter: /cli[\\/]doctor[\\/]base-manifests\.ts$/ }, async () => ({
      contents: `const manifests = ${JSON.stringify(await baseManifests())};\nexport const baseManifests = async () => manifests;`,
    }));
  },
};
