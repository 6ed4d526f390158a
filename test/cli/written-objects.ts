import type { ObjectChange } from '../../cli/plan/object-change.ts';
import { objectDiff } from '../../cli/plan/object-diff.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import type { RecordedWrite } from './recording-proxy.ts';

/** What became of an object, or would; values of Secrets are left out. */
export interface WrittenObject {
  readonly action: 'create' | 'change' | 'delete';
  /** Kind and name. */
  readonly object: string;
  readonly fields: readonly object[];
}

/** What a function did, from its writes and the API server's answers; Leases and attempts that failed left out. */
export function writtenObjects(writes: readonly RecordedWrite[]): readonly WrittenObject[] {
  const byObject = Map.groupBy(writes.filter(isDone), keyOf);
  return sorted(
    [...byObject].flatMap(([object, all]): WrittenObject[] => {
      const [first, last] = [all[0], all.at(-1)];
      if (first === undefined || last === undefined) return [];
      if (last.method === 'DELETE') return [{ action: 'delete', object, fields: [] }];
      if (first.before === undefined) return [{ action: 'create', object, fields: [] }];
      const differs = objectDiff(first.before, last.answer);
      const isSecret = object.startsWith('Secret ');
      const fields = differs.map((field) => (isSecret ? { path: field.path, hidden: true } : field));
      return fields.length === 0 ? [] : [{ action: 'change', object, fields }];
    }),
  );
}

/** The same of a plan. */
export function plannedObjects(changes: readonly ObjectChange[]): readonly WrittenObject[] {
  return sorted(changes.map(({ action, kind, name, fields }) => ({ action, object: `${kind} ${name}`, fields })));
}

function sorted(objects: readonly WrittenObject[]): readonly WrittenObject[] {
  return objects.toSorted((one, other) => one.object.localeCompare(other.object));
}

function isDone({ path, status }: RecordedWrite): boolean {
  return status < 300 && !path.includes('/leases');
}

/** A deletion is answered with a Status. */
function keyOf({ method, path, answer, before }: RecordedWrite): string {
  const object = method === 'DELETE' ? before : answer;
  return `${textAt(object, 'kind')} ${textAt(object, 'metadata', 'name') ?? path}`;
}
