import * as z from 'zod';
import type { Manifest } from '../../local/manifests/read-manifests.ts';

const service = z.looseObject({
  apiVersion: z.literal('serving.knative.dev/v1'),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.object({
    template: z.object({
      metadata: z.object({ annotations: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        timeoutSeconds: z.int(),
        containerConcurrency: z.int(),
        enableServiceLinks: z.boolean(),
        serviceAccountName: z.string(),
        containers: z.tuple([
          z.looseObject({
            name: z.string(),
            image: z.string(),
            args: z.array(z.string()),
            env: z.array(z.object({ name: z.string(), value: z.string() })),
            readinessProbe: z.record(z.string(), z.unknown()),
            resources: z.object({
              requests: z.record(z.string(), z.string()),
              limits: z.record(z.string(), z.string()),
            }),
            securityContext: z.looseObject({}),
          }),
        ]),
      }),
    }),
  }),
});
export type KnativeService = z.infer<typeof service>;

/** The functions as Services of Knative. @throws Error for one that lacks what each has to say */
export function servicesOf(manifests: readonly Manifest[]): readonly KnativeService[] {
  return manifests.filter(({ kind }) => kind === 'Service').map((manifest) => service.parse(manifest));
}

/** The environment of a Service's container by name. */
export function environmentOf({ spec }: KnativeService): Readonly<Record<string, string>> {
  return Object.fromEntries(spec.template.spec.containers[0].env.map(({ name, value }) => [name, value]));
}
