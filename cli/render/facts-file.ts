import * as z from 'zod';

const text = z.string().min(1);

const flavor = z.strictObject({
  /** As Nova has it. @default the text that the user gave */
  name: text.optional(),
  vcpus: z.int().min(1),
  /** MiB. */
  ram: z.int().min(1),
  /** GiB; 0 = none. */
  disk: z.int().min(0),
});

const image = z.strictObject({
  id: text,
  /** Glance property `hw_disk_bus`; '' = not set. */
  disk_bus: z.string().default(''),
});

/** What a cloud would say of the names in a request, in the words of OpenStack. What is left out is assumed. */
export const factsFile = z.strictObject({
  /** Keystone, as Cluster API's provider reaches it. */
  auth_url: z.url(),
  /** Keystone, as the workload cluster reaches it. */
  public_auth_url: z.url(),
  region: text,
  /** By the text that the user gave. */
  flavors: z.record(z.string(), flavor),
  images: z.record(z.string(), image),
  external_network_id: text,
  /** null = a network of the cluster's own. */
  fixed_network_id: text.nullable(),
  fixed_subnet_id: text.nullable(),
  /** Of volumes without one; '' = the cloud has no default. */
  default_volume_type: z.string(),
  /** null = the cloud has no Cinder. */
  volume_types: z.array(text).nullable(),
  /** null = the cloud has no Manila. */
  share_types: z.array(text).nullable(),
  /** Ids, the workers' by nodegroup. */
  server_groups: z.strictObject({ control_plane: text, workers: z.record(z.string(), text) }),
  application_credential: z.strictObject({ id: text, secret: text }),
});

export type Facts = z.output<typeof factsFile>;
export const partialFacts = factsFile.partial();
export type GivenFacts = z.output<typeof partialFacts>;
