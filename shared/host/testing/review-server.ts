import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { makeServerCertificate } from '../../../test/cloud/openstack/certificate.ts';
import { createKubernetesClient } from '../../kubernetes/client.ts';
import { resources } from '../../kubernetes/resources.ts';
import type { ReviewApi } from '../access-review.ts';

export interface KnownToken {
  readonly username: string;
  readonly audiences: readonly string[];
}

/** An API server, as far as reviews go, over TLS, and the real client that asks it. */
export interface ReviewServer {
  /** Who a token belongs to; may change. */
  readonly tokens: Map<string, KnownToken>;
  /** `<username> <verb> <function>`; may change. */
  readonly grants: Set<string>;
  /** Bodies of the reviews that were asked for. */
  readonly asked: z.infer<typeof review>[];
  /** Answers given instead, one a review. */
  readonly script: { readonly status: number; readonly body: string }[];
  readonly api: ReviewApi;
  close(): Promise<void>;
}

const review = z.looseObject({
  kind: z.enum(['TokenReview', 'SubjectAccessReview']),
  spec: z.looseObject({
    token: z.string().default(''),
    audiences: z.array(z.string()).default([]),
    user: z.string().default(''),
    resourceAttributes: z.record(z.string(), z.string()).default({}),
  }),
});

export async function startReviewServer(): Promise<ReviewServer> {
  const { caCertificate, certificate, privateKey } = await makeServerCertificate();
  const tokens = new Map<string, KnownToken>();
  const grants = new Set<string>();
  const asked: z.infer<typeof review>[] = [];
  const script: { status: number; body: string }[] = [];
  const server = createServer({ cert: certificate, key: privateKey }, async (request, response) => {
    const object = review.parse(await json(request));
    asked.push(object);
    const status = object.kind === 'TokenReview' ? tokenStatus(tokens, object.spec) : accessStatus(grants, object.spec);
    const answer = script.shift() ?? { status: 201, body: JSON.stringify({ ...object, status }) };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createKubernetesClient({ server: `https://127.0.0.1:${port}`, caCertificate });
  return {
    tokens,
    grants,
    asked,
    script,
    api: {
      createTokenReview: (object) => client.create(resources.tokenReview, object),
      createSubjectAccessReview: (object) => client.create(resources.subjectAccessReview, object),
    },
    async close() {
      client.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Spec = z.infer<typeof review>['spec'];

function tokenStatus(tokens: ReadonlyMap<string, KnownToken>, { token, audiences }: Spec) {
  const known = tokens.get(token);
  const shared = audiences.filter((audience) => known?.audiences.includes(audience));
  if (known === undefined || shared.length === 0) return { user: {}, error: 'invalid bearer token' };
  const user = {
    username: known.username,
    uid: '1',
    groups: ['system:serviceaccounts'],
    extra: { 'example.org/a': ['b'] },
  };
  return { authenticated: true, audiences: shared, user };
}

function accessStatus(grants: ReadonlySet<string>, { user, resourceAttributes }: Spec) {
  return { allowed: grants.has(`${user} ${resourceAttributes['verb']} ${resourceAttributes['resource']}`) };
}
