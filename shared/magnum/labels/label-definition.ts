import { cidr, type PrefixLimits } from '../syntax/cidr.ts';
import { boolean, count, listOf } from '../syntax/scalar.ts';
import { anyText, type Parse } from '../syntax/text-format.ts';

/** Where a label is read: from the cluster, or from a nodegroup and, where that lacks it, from the cluster. */
type LabelScope = 'cluster' | 'nodegroup';

export interface LabelDefinition<Value> {
  /** Kind of value as docs/labels.md names it. */
  readonly type: string;
  readonly scope: LabelScope;
  /** Value of a label that is missing or empty. */
  readonly default: Value;
  /** The default as docs/labels.md shows it. */
  readonly shownDefault: string;
  readonly meaning: string;
  readonly parse: Parse<Value>;
  /** An empty value counts as a value. */
  readonly keepsEmpty: boolean;
  /** An existing cluster may live on with a value that is refused to a new one: the default is used instead. */
  readonly tolerated: boolean;
}

interface Description<Value> {
  readonly default: Value;
  readonly meaning: string;
  /** @default 'cluster' */
  readonly scope?: LabelScope;
  /** @default the default itself */
  readonly shownDefault?: string;
  /** @default false */
  readonly tolerated?: boolean;
}

function show(value: unknown): string {
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? 'none' : `\`${text}\``;
}

function define<Value>(type: string, parse: Parse<Value>, description: Description<Value>): LabelDefinition<Value> {
  const { scope = 'cluster', shownDefault = show(description.default), tolerated = false } = description;
  return { type, parse, keepsEmpty: false, ...description, scope, shownDefault, tolerated };
}

export function booleanLabel(description: Description<boolean>): LabelDefinition<boolean> {
  return define('boolean', boolean, description);
}

interface CountDescription<Default> extends Description<Default> {
  /** @default no unit, a mere number */
  readonly unit?: string;
  /** @default 0 */
  readonly minimum?: number;
}

export function countLabel<Default extends number | null>({
  unit,
  minimum,
  ...description
}: CountDescription<Default>): LabelDefinition<number | Default> {
  const type = unit === undefined ? 'whole number' : `whole number (${unit})`;
  return define<number | Default>(type, count({ unit, minimum }), description);
}

interface TextDescription<Default> extends Description<Default> {
  /** @default text */
  readonly type?: string;
  /** @default any text */
  readonly parse?: Parse<string>;
  /** @default false */
  readonly keepsEmpty?: boolean;
}

export function textLabel<Default extends string | null>({
  type = 'text',
  parse = anyText,
  keepsEmpty = false,
  ...description
}: TextDescription<Default>): LabelDefinition<string | Default> {
  return { ...define<string | Default>(type, parse, description), keepsEmpty };
}

interface ListDescription extends Description<readonly string[]> {
  /** What the items are, in the plural. */
  readonly items: string;
  readonly parse: Parse<string>;
}

export function listLabel({ items, parse, ...description }: ListDescription): LabelDefinition<readonly string[]> {
  return define(`list of ${items}`, listOf(parse), description);
}

interface CidrDescription extends Description<string> {
  readonly limits: PrefixLimits;
}

export function cidrLabel({ limits, ...description }: CidrDescription): LabelDefinition<string> {
  return define('CIDR', cidr(limits), description);
}
