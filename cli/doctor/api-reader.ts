import type * as z from 'zod';
import { Caller, type KubernetesClientOptions } from '../../shared/kubernetes/caller.ts';
import type { KubernetesConnection } from '../../shared/kubernetes/connection.ts';

/** Reads of the API server beside objects. */
export interface ApiReader {
  /** Parses the answer to a GET of a path. @throws KubernetesError, ZodError */
  read<T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T>;
  /** Asks a question that nothing is stored of: a review, or a token. @throws KubernetesError, ZodError */
  ask<T>(path: string, question: object, schema: z.ZodType<T>, signal: AbortSignal): Promise<T>;
  /** The API server's clock, in milliseconds since the epoch; undefined before the first answer. */
  serverTime(): number | undefined;
  close(): void;
}

/** What answers to questions hold is nobody's business where one is refused. */
const about = { apiVersion: '', kind: 'answer', resource: '', confidential: true };

export function createApiReader(connection: KubernetesConnection, options: KubernetesClientOptions): ApiReader {
  const caller = new Caller(connection, options);
  return {
    async read(path, schema, signal) {
      const call = { ...about, confidential: false, verb: 'get' as const, method: 'GET' as const };
      return schema.parse(
        await caller.call({ ...call, path, name: path, namespace: undefined, repeatable: true, signal }),
      );
    },
    async ask(path, question, schema, signal) {
      const call = { ...about, verb: 'create' as const, method: 'POST' as const, body: JSON.stringify(question) };
      return schema.parse(
        await caller.call({ ...call, path, name: path, namespace: undefined, repeatable: true, signal }),
      );
    },
    serverTime: () => caller.serverClock.now(),
    close: () => caller.close(),
  };
}
