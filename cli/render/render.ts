import { dump } from 'js-yaml';
import packageJson from '../../package.json' with { type: 'json' };
import type { Fault } from '../../shared/contract/errors.ts';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ExitCode } from '../command.ts';
import { readDocument } from '../event/read-document.ts';
import { requestOf } from '../event/request-file.ts';
import { schemaFaults } from '../event/schema-faults.ts';
import { printFaults } from '../output/faults.ts';
import type { Format } from '../output/format.ts';
import { withHiddenSecrets } from '../output/hidden-secrets.ts';
import { jsonText } from '../output/json-text.ts';
import { painter } from '../output/paint.ts';
import { printLine, printNote, type Terminal } from '../output/terminal.ts';
import { yamlDocuments } from '../output/yaml-documents.ts';
import { chooseObjects } from './choose-objects.ts';
import { readCreateRequest } from './create-request.ts';
import { type GivenFacts, partialFacts } from './facts-file.ts';
import { type Rendering, renderCreate } from './rendered-objects.ts';

export interface RenderArguments {
  readonly files: readonly string[];
  readonly facts: string | undefined;
  readonly only: readonly string[];
  readonly showSecrets: boolean;
  readonly output: Format;
}

export async function render(given: RenderArguments, terminal: Terminal): Promise<ExitCode> {
  const documents = await inTurn(given.files, (path) => readDocument(path, terminal));
  const said = await readFacts(given.facts, terminal);
  if ('faults' in said) return refuse(terminal, said.faults);
  const read = readCreateRequest(requestOf(documents));
  if ('faults' in read) return refuse(terminal, read.faults);
  const rendering = renderCreate(read.request, { facts: said.facts, version: packageJson.version });
  if ('faults' in rendering) return refuse(terminal, rendering.faults);
  const chosen = chooseObjects(rendering.objects, given.only);
  printObjects(chosen, given, terminal);
  printAssumptions(terminal, [...read.notes, ...rendering.notes], rendering);
  return 0;
}

/** One after the other: standard input is one of them at most. */
async function inTurn<T>(paths: readonly string[], read: (path: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const path of paths) results.push(await read(path));
  return results;
}

type ReadFacts = { readonly facts: GivenFacts } | { readonly faults: readonly Fault[] };

async function readFacts(path: string | undefined, terminal: Terminal): Promise<ReadFacts> {
  if (path === undefined) return { facts: {} };
  const parsed = partialFacts.safeParse(await readDocument(path, terminal));
  return parsed.success ? { facts: parsed.data } : { faults: schemaFaults(parsed.error) };
}

function refuse(terminal: Terminal, faults: readonly Fault[]): ExitCode {
  printFaults(terminal, faults, painter(terminal));
  return 1;
}

function printObjects(
  objects: readonly KubernetesObject[],
  { output, showSecrets }: RenderArguments,
  terminal: Terminal,
): void {
  const shown = showSecrets ? objects : objects.map(withHiddenSecrets);
  if (output === 'yaml') terminal.output.write(yamlDocuments(shown));
  else printLine(terminal, jsonText({ apiVersion: 'v1', kind: 'List', items: shown }));
}

/** In the form of a facts file, so that it can be copied into one. */
function printAssumptions(terminal: Terminal, notes: readonly string[], { assumed }: Rendering): void {
  const paint = painter(terminal);
  for (const note of notes) printNote(terminal, paint('yellow', note));
  if (Object.keys(assumed).length === 0) return;
  printNote(terminal, paint('yellow', 'Assumed of the cloud, where --facts does not say otherwise:'));
  terminal.notes.write(paint('dim', dump(assumed, { lineWidth: -1, noRefs: true, flowLevel: 2 })));
}
