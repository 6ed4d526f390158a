import { type GrantedRight, grantedRights } from '../../cli/doctor/granted-rights.ts';
import { readManifests } from '../../local/manifests/read-manifests.ts';
import { type Right, rightText } from './right.ts';
import { usedRights } from './used-rights.ts';

/** Rights that no process of ours uses, each with who does. */
const usedByOthers: readonly { readonly why: string; readonly covers: (right: Right) => boolean }[] = [
  {
    why: 'a caller is asked for it by a function, in a SubjectAccessReview',
    covers: ({ group }) => group === 'functions.magnum.openstack.org',
  },
  {
    why: "Knative's controller of ApiServerSources asks whether the source has it before it starts one",
    covers: ({ account, verb }) => account === 'magnum-objects' && verb === 'get',
  },
  {
    why: 'the cluster-autoscaler does, which is not ours: cluster-autoscaler/upstream.test.ts compares them with what its project asks for',
    covers: ({ account }) => account === 'magnum-cluster-autoscaler',
  },
];

/** Compares what knative/ grants with what the tests have used, and names what nobody needs. */
async function main(): Promise<void> {
  const used = await usedRights();
  if (used.size === 0) {
    console.error('No test has used a right yet. Run "npm test", "npm run test:life" and "npm run test:e2e" first.');
    process.exitCode = 1;
    return;
  }
  const granted = grantedRights(await readManifests()).map(asRight);
  const needless = granted.filter(
    (right) => !used.has(rightText(right)) && !usedByOthers.some(({ covers }) => covers(right)),
  );
  for (const right of needless) console.log(`never used: ${rightText(right)}`);
  console.log(`${granted.length} rights are granted, ${needless.length} of them no test that has run has used.`);
  process.exitCode = needless.length === 0 ? 0 : 1;
}

function asRight({ resource, subresource, ...right }: GrantedRight): Right {
  return { ...right, resource: subresource === undefined ? resource : `${resource}/${subresource}` };
}

await main();
