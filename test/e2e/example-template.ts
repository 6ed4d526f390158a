export const oldVersion = 'v1.33.4';
export const newVersion = 'v1.34.1';
export const newestVersion = 'v1.35.0';

export interface TemplateFields {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly network_driver: string;
  readonly [field: string]: unknown;
}

/** A cluster template of what the simulated cloud has. */
export function exampleTemplate(changes: Partial<TemplateFields> = {}): TemplateFields {
  return {
    name: 'kubernetes',
    coe: 'kubernetes',
    image_id: 'ubuntu-2204-kube-v1.30',
    external_network_id: 'public',
    flavor_id: 'm1.medium',
    master_flavor_id: 'm1.medium',
    network_driver: 'calico',
    master_lb_enabled: true,
    ...changes,
    labels: { kube_tag: oldVersion, ...changes.labels },
  };
}
