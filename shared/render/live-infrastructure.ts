import * as z from 'zod';

const id = z.strictObject({ id: z.string().min(1) });

/** CAPO's writers leave empty lists out, others may not. */
function oneOrNone<T extends z.ZodType>(schema: T) {
  return z.array(schema).max(1).optional();
}

/**
 * Fields of a live OpenStackCluster's spec (infrastructure v1beta1) which CAPO refuses to change and which the class writes, as far
 * as it can write them: what does not fit here cannot be kept. Fields that the class never writes stay as they are.
 */
const liveInfrastructure = z
  .object({
    apiServerLoadBalancer: z
      .object({
        enabled: z.boolean(),
        provider: z.string().optional(),
        flavor: z.string().optional(),
        availabilityZone: z.string().optional(),
      })
      .optional(),
    apiServerFloatingIP: z.string().min(1).optional(),
    disableAPIServerFloatingIP: z.boolean().optional(),
    externalNetwork: id,
    network: id.optional(),
    subnets: oneOrNone(id),
    managedSubnets: oneOrNone(
      z.strictObject({ cidr: z.string().min(1), dnsNameservers: z.array(z.string()).optional() }),
    ),
  })
  .refine(({ network, managedSubnets = [] }) => (network === undefined) === managedSubnets.length > 0, {
    path: ['network'],
  });

export type LiveInfrastructure = Readonly<z.infer<typeof liveInfrastructure>>;

/** The spec of a live OpenStackCluster, or the first field in it that the class cannot keep. */
export function readLiveInfrastructure(
  spec: unknown,
): { readonly infrastructure: LiveInfrastructure } | { readonly field: string } {
  const parsed = liveInfrastructure.safeParse(spec);
  if (parsed.success) return { infrastructure: parsed.data };
  // A field that is too much says more than the one that is missing in its place.
  const surplus = parsed.error.issues.find(({ code }) => code === 'unrecognized_keys');
  const issue = surplus ?? parsed.error.issues[0];
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return { field: ['spec', ...(issue?.path ?? []), ...keys].join('.') };
}
