import * as z from 'zod';
import { errorCodes } from './errors.ts';
import { eventTypes } from './event-types.ts';
import { schemaUri } from './schema-uri.ts';

/** JSON Schema of the data of each event, by event type. */
export function eventSchemas(): Map<string, z.core.JSONSchema.BaseSchema> {
  return new Map(
    Object.entries(eventTypes).map(([type, { schema }]) => [
      type,
      { $id: schemaUri(type), ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'ref' }) },
    ]),
  );
}

/** docs/events.md. */
export function eventsDocument(): string {
  const rows = Object.entries(eventTypes).map(([type, { functions, meaning }]) => {
    const taken = functions.length === 0 ? 'a reply' : functions.join(', ');
    return `| [\`${type}\`](schemas/${type}.json) | ${taken} | ${meaning} |`;
  });
  const codes = Object.entries(errorCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return `# Events

CloudEvents 1.0 over HTTP, binary or structured mode. \`subject\` and the extension \`partitionkey\` are the UUID of the Magnum
cluster, \`id\` is the idempotency key, \`time\` orders operations and reports, \`dataschema\` is the \`$id\` of the
schema that the type links to. This page is generated from \`shared/contract\`.

| type | taken by | meaning |
|---|---|---|
${rows.join('\n')}

## Answers

| status | meaning |
|---|---|
| 200 | done, with a reply event; a rejected operation is a result too |
| 204 | done, nothing to say |
| 400 | no valid event, or data that does not match the schema |
| 401, 403 | no valid token, or its owner may not invoke the function |
| 413 | the body is larger than 1 MiB |
| 429 | another operation holds the Lease of the cluster; send it again after \`Retry-After\` seconds |
| 503 | Kubernetes or OpenStack is down, or the instance is stopping; send it again |

## Error codes

\`operation.rejected\` and the problem body of other answers carry one of:

| code | meaning |
|---|---|
${codes.join('\n')}
`;
}
