import type { Format } from '../output/format.ts';
import { jsonText } from '../output/json-text.ts';
import { liveScreen } from '../output/live-screen.ts';
import { printLine } from '../output/terminal.ts';
import { yamlDocuments } from '../output/yaml-documents.ts';
import { changeLines } from './change-lines.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';
import { snapshotDocument } from './snapshot-document.ts';
import { shownLines, type View } from './view.ts';

/** Snapshots by stack id. */
export type Seen = ReadonlyMap<string, ClusterSnapshot>;

/** Shows what was seen after what was seen before. */
export type ShowChanges = (before: Seen, after: Seen) => void;

/** Redraws on a terminal; elsewhere a line for each change, or a document for each cluster that has changed. */
export function changesOnto(view: View): ShowChanges {
  const { terminal, output } = view;
  if (output !== undefined) return (before, after) => writeDocuments(view, output, changesBetween(before, after));
  if (!terminal.isInteractive) return (before, after) => printChanges(view, changesBetween(before, after));
  const screen = liveScreen(terminal);
  return (_before, after) => screen.draw(shownLines(view, [...after.values()]));
}

interface ChangedCluster {
  readonly stackId: string;
  /** null = it is gone. */
  readonly snapshot: ClusterSnapshot | null;
  readonly lines: readonly string[];
}

function changesBetween(before: Seen, after: Seen): readonly ChangedCluster[] {
  const changed = [...after].map(([stackId, snapshot]) => ({
    stackId,
    snapshot,
    lines: changeLines(before.get(stackId), snapshot),
  }));
  const gone = [...before.keys()].filter((stackId) => !after.has(stackId));
  return [
    ...changed.filter(({ lines }) => lines.length > 0),
    ...gone.map((stackId) => ({ stackId, snapshot: null, lines: [`${stackId}  gone`] })),
  ];
}

function printChanges({ terminal, now }: View, changes: readonly ChangedCluster[]): void {
  const time = now().toISOString();
  for (const line of changes.flatMap(({ lines }) => lines)) printLine(terminal, `${time}  ${line}`);
}

/** A line of JSON, or a document of YAML, for each cluster. */
function writeDocuments({ terminal, now }: View, output: Format, changes: readonly ChangedCluster[]): void {
  const time = now().toISOString();
  for (const { stackId, snapshot } of changes) {
    const document = { time, ...(snapshot === null ? { stack_id: stackId, gone: true } : snapshotDocument(snapshot)) };
    terminal.output.write(output === 'json' ? `${jsonText(document, 0)}\n` : `---\n${yamlDocuments([document])}`);
  }
}
