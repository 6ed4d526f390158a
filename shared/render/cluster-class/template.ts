import type { Json } from '../rendered-object.ts';

const expressionKey: unique symbol = Symbol('expression');
const conditionKey: unique symbol = Symbol('condition');

/** A Go template pipeline whose result is written as JSON. */
export interface Expression {
  readonly [expressionKey]: string;
}

/** A field that exists only while a condition holds. */
interface Conditional {
  readonly [conditionKey]: string;
  readonly value: Template;
}

/** JSON in which single values are computed by the patch engine. */
export type Template = Json | Expression | readonly Template[] | { readonly [key: string]: Template | Conditional };

/** The value of a pipeline over the variables, e.g. `.bootVolume.size`. */
export function expression(pipeline: string): Expression {
  return { [expressionKey]: pipeline };
}

/** A field that is left out unless the pipeline is true. Its object needs at least one field that always exists. */
export function when(pipeline: string, value: Template): Conditional {
  return { [conditionKey]: pipeline, value };
}

/**
 * The text of a `valueFrom.template`. Every computed value passes through `toJson`: nothing that a user writes can change
 * the type of a value or the shape of the document (user-reports H50).
 */
export function templateText(template: Template): string {
  if (typeof template !== 'object' || template === null) return literal(template);
  if (isExpression(template)) return `{{ ${template[expressionKey]} | toJson }}`;
  if (isList(template)) return `[${template.map(templateText).join(',')}]`;
  return objectText(template);
}

function objectText(template: { readonly [key: string]: Template | Conditional }): string {
  let always = '';
  let sometimes = '';
  for (const [key, value] of Object.entries(template)) {
    if (isConditional(value)) {
      sometimes += `{{ if ${value[conditionKey]} }},${literal(key)}:${templateText(value.value)}{{ end }}`;
    } else {
      always += `${always === '' ? '' : ','}${literal(key)}:${templateText(value)}`;
    }
  }
  if (always === '' && sometimes !== '')
    throw new TypeError('An object of conditional fields alone cannot be a template.');
  return `{${always}${sometimes}}`;
}

function literal(value: Json): string {
  const text = JSON.stringify(value);
  if (text.includes('{{')) throw new TypeError(`The engine would evaluate the literal ${text}.`);
  return text;
}

function isExpression(template: object): template is Expression {
  return expressionKey in template;
}

function isConditional(template: Template | Conditional): template is Conditional {
  return typeof template === 'object' && template !== null && conditionKey in template;
}

function isList(template: Template): template is readonly Template[] {
  return Array.isArray(template);
}
