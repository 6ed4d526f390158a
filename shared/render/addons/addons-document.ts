import type { AddonRelease } from './addon.ts';
import { addonCatalogue } from './catalogue.ts';
import type { Image } from './images/image.ts';
import { defaultMirrorRules, mirroredName } from './images/mirror-rules.ts';

const introduction = `# Add-ons

What the driver installs in a cluster beside Kubernetes itself, by release, and where a registry mirror has the images. This page
is generated from \`shared/render/addons\`.

* Labels that name an image tag ([labels.md](labels.md)) replace the tags that stand here.
* With the label \`container_infra_prefix\`, all images but the cluster autoscaler's come from that registry path, under the name in the last column and
  without a digest. The autoscaler runs in the management cluster: Magnum's option \`[auto_scaling] image_repository\` says where its image comes from.
* A mirror that is laid out in another way is described by Magnum's option \`[capi_functions] image_rules\`
  ([configuration.md](configuration.md)); its rules go before these:
`;

/** docs/addons.md. */
export function addonsDocument(): string {
  const rules = defaultMirrorRules.map(({ from, to }) => `| \`${from}\` | \`${to}\` |\n`).join('');
  const names = [...new Set(addonCatalogue.map(({ addon }) => addon))];
  return [
    introduction,
    `| image | name in the mirror |\n|---|---|\n${rules}`,
    ...names.map((name) =>
      section(
        name,
        addonCatalogue.filter(({ addon }) => addon === name),
      ),
    ),
  ].join('\n');
}

function section(name: string, releases: readonly AddonRelease[]): string {
  const sources = [...new Set(releases.map(({ source }) => source))].map((source) => `\`${source}\``);
  const rows = releases.flatMap((release) => release.images.map((image) => row(release, image)));
  const head = '| release | used for | image | in the mirror |\n|---|---|---|---|\n';
  return `## ${name}\n\nFacts from ${sources.join(', ')}.\n\n${head}${rows.join('')}`;
}

function row({ addon, version, usedFor }: AddonRelease, { repository, tag, digest }: Image): string {
  const pinned = digest === undefined ? '' : `<br>\`@${digest}\``;
  const mirrored = addon === 'cluster-autoscaler' ? 'the option alone' : `\`${mirroredName(repository, [])}:${tag}\``;
  return `| ${version} | ${usedFor} | \`${repository}:${tag}\`${pinned} | ${mirrored} |\n`;
}
