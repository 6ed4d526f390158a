import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { managementNamespace } from '../../shared/render/metadata.ts';

/** Accounts of knative/, in the words of the API server. */
const accountPrefix = `system:serviceaccount:${managementNamespace}:`;
const ours = `${accountPrefix}magnum-`;

/** One call of one of our accounts, as the API server has recorded it. */
export interface AuditedCall {
  /** Name of the ServiceAccount. */
  readonly account: string;
  /** `''` for the core group. */
  readonly group: string;
  /** With its subresource, e.g. `machinedeployments/scale`. */
  readonly resource: string;
  readonly verb: string;
  readonly status: number;
  readonly path: string;
}

const entry = z.object({
  user: z.object({ username: z.string() }),
  verb: z.string(),
  requestURI: z.string(),
  responseStatus: z.object({ code: z.int().default(0) }).optional(),
  objectRef: z
    .object({ apiGroup: z.string().default(''), resource: z.string(), subresource: z.string().optional() })
    .optional(),
});

/**
 * The calls of our accounts in an audit log.
 * @param offset bytes of it that are left out, up to the end of a line
 */
export async function* auditedCalls(path: string, offset = 0): AsyncGenerator<AuditedCall> {
  for await (const line of createInterface({ input: createReadStream(path, { start: offset }) })) {
    if (!line.includes(ours)) continue;
    const { user, verb, requestURI, responseStatus, objectRef } = entry.parse(JSON.parse(line));
    if (objectRef === undefined || !user.username.startsWith(ours)) continue;
    const { apiGroup: group, resource, subresource } = objectRef;
    yield {
      account: user.username.slice(accountPrefix.length),
      group,
      resource: subresource === undefined ? resource : `${resource}/${subresource}`,
      verb,
      status: responseStatus?.code ?? 0,
      path: requestURI,
    };
  }
}
