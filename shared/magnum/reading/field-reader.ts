import { anyText, type Parse } from '../syntax/text-format.ts';
import type { FaultList } from './fault-list.ts';
import { readValue } from './read-value.ts';
import { fieldSubject, type Owner, type Subject } from './subject.ts';

export interface FieldReader {
  readonly owner: Owner;
  /** null = missing, null, empty, or wrong (which is a fault). */
  read<Value>(field: string, parse: Parse<Value>): Value | null;
  text(field: string): string | null;
  /** Like `read`, for a value that no message may show. */
  secret(field: string, parse: Parse<string>): string | null;
  /** Reports a field that has to be there, and stands in for its value. */
  missing(field: string): string;
  subject(field: string): Subject;
}

/** Reads the fields of one row. */
export function fieldReader(row: Readonly<Record<string, unknown>>, owner: Owner, faults: FaultList): FieldReader {
  const subject = (field: string) => fieldSubject(owner, field);

  function read<Value>(field: string, parse: Parse<Value>, secret: boolean): Value | null {
    const raw = Object.hasOwn(row, field) ? row[field] : null;
    const result = readValue(raw, { parse, secret });
    if ('problem' in result) faults.add(subject(field), result.problem);
    return 'value' in result ? result.value : null;
  }

  return {
    owner,
    read: (field, parse) => read(field, parse, false),
    text: (field) => read(field, anyText, false),
    secret: (field, parse) => read(field, parse, true),
    missing(field) {
      if (!faults.hasFaultOf(subject(field))) faults.add(subject(field), ' is missing');
      return '';
    },
    subject,
  };
}
