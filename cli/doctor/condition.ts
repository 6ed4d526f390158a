import { listAt, textAt } from '../../shared/status/views/json-part.ts';

/** Why an object is not what its condition of a type should say, as `reason: message`; null where it is. */
export function conditionProblem(object: unknown, type: string): string | null {
  const found = listAt(object, 'status', 'conditions').find((condition) => textAt(condition, 'type') === type);
  if (textAt(found, 'status') === 'True') return null;
  const said = [textAt(found, 'reason'), textAt(found, 'message')].filter((text) => text !== null);
  return said.length === 0
    ? `nobody has said yet that it is ${type.toLowerCase()}`
    : said.join(': ').replace(/\.$/, '');
}
