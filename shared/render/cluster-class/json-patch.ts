import type { Json } from '../rendered-object.ts';
import type { JsonPatch } from './feature.ts';
import { expression, type Template, templateText } from './template.ts';

/** Sets a field to a fixed value, or appends it to a list when the path ends in `/-`. */
export function add(path: string, value: Json): JsonPatch {
  return { op: 'add', path, value };
}

/** Sets a field to the value of a variable, which no template touches: numbers stay whole, text stays text. */
export function addVariable(path: string, variable: string): JsonPatch {
  return { op: 'add', path, valueFrom: { variable } };
}

/** Sets a field to JSON with computed values, or appends it. */
export function addTemplate(path: string, template: Template): JsonPatch {
  return { op: 'add', path, valueFrom: { template: templateText(template) } };
}

export function remove(path: string): JsonPatch {
  return { op: 'remove', path };
}

/** Appends a command line argument; in v1beta2 these are lists of name and value, and a name may stand there once. */
export function appendArgument(list: string, name: string, pipeline: string): JsonPatch {
  return addTemplate(`${list}/-`, { name, value: expression(pipeline) });
}

/** Appends a command line argument with a fixed value. */
export function appendFixedArgument(list: string, name: string, value: string): JsonPatch {
  return add(`${list}/-`, { name, value });
}

/** Appends a file whose content is a variable that holds base64. */
export function appendFile(list: string, path: string, pipeline: string): JsonPatch {
  return addTemplate(`${list}/-`, base64File(path, pipeline));
}

/** A file of root's that everyone may read, its content a variable that holds base64. */
export function base64File(path: string, pipeline: string): Template {
  return { path, owner: 'root:root', permissions: '0644', encoding: 'base64', content: expression(pipeline) };
}
