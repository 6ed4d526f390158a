import type { Section } from './measurement.ts';
import { type PartName, partNames, sectionTitles } from './section-names.ts';
import { asMarkdown } from './table.ts';

const introduction = `# Benchmarks

\`npm run bench -- --write\` writes this file, and \`npm run bench -- --write --<part>\` one section of it. Everything runs as it does in
production: the bundles of \`npm run build\` in processes of their own, with the rights of \`knative/\`, against a real etcd and kube-apiserver on
the same machine and, for what is created and changed, the real Cluster API with a simulated OpenStack that answers at once.

Milliseconds are those of the machine that each section names, and of nothing else; what holds elsewhere are the proportions within one
run, the calls and the bytes. A value is the median of its samples where their number n is given, with the range of the middle half of
them. A budget is the most that the project allows itself; the command ends with 1 where one is exceeded. The figures of the original
driver, magnum-cluster-api, were recorded once on such a control plane with OpenStack mocked: a create took 4.2–6.7 s; the status of each cluster
took 131 ms and 9 API calls every 10 s, whether anything changed or not; it said CREATE_COMPLETE while a worker was still
provisioning, and UPDATE_COMPLETE 0.7 s after the start of an upgrade that took 80 s.
`;

/** One section: its title, on what and when it was measured, the table and the notes. */
export function sectionText(part: PartName, { measurements, notes }: Section, circumstances: string): string {
  const table = measurements.length === 0 ? [] : [asMarkdown(measurements)];
  return [heading(part), `${circumstances}.`, ...table, ...notes].join('\n\n');
}

/** The whole document: fresh sections take the place of those of the same part; the others stay as they are. */
export function mergeSections(document: string, fresh: ReadonlyMap<PartName, string>): string {
  const sections = partNames.flatMap((part) => fresh.get(part) ?? formerSection(document, part) ?? []);
  return `${[introduction.trimEnd(), ...sections].join('\n\n')}\n`;
}

function formerSection(document: string, part: PartName): string | undefined {
  const begin = document.indexOf(`${heading(part)}\n`);
  if (begin === -1) return undefined;
  const end = document.indexOf('\n## ', begin + 1);
  return document.slice(begin, end === -1 ? undefined : end).trimEnd();
}

function heading(part: PartName): string {
  return `## ${sectionTitles[part]}`;
}
