import type { CloudState } from '../openstack/state.ts';
import { clusterNameLabel, type OpenStackServer } from './infrastructure-objects.ts';

type Spec = OpenStackServer['spec'];
type Resolved = NonNullable<NonNullable<OpenStackServer['status']>['resolved']>;

/**
 * Fills in the ids behind the names of a server's spec and says whether any was new
 * (pkg/cloud/services/compute/referenced_resources.go).
 * @throws Error with all that was not found; CAPO writes it to its log alone
 */
export function resolveServer(server: OpenStackServer, resolved: Resolved, state: CloudState): boolean {
  const { spec } = server;
  const errors: string[] = [];
  let changed = false;
  const set = (field: 'serverGroupID' | 'imageID' | 'flavorID', resolve: () => string) => {
    if (resolved[field] !== undefined) return;
    try {
      resolved[field] = resolve();
      changed = true;
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  };
  if (spec.serverGroup !== undefined) set('serverGroupID', () => serverGroupId(spec.serverGroup, state));
  set('imageID', () => imageId(spec, state));
  set('flavorID', () => flavorId(spec, state));
  if (resolved.ports === undefined) {
    resolved.ports = ports(server);
    changed = true;
  }
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return changed;
}

function serverGroupId(reference: Spec['serverGroup'], state: CloudState): string {
  const name = reference?.filter?.name ?? '';
  const found = state.serverGroups.filter((group) => group.name === name).map(({ id }) => id);
  const [id = ''] = reference?.id === undefined ? found : [reference.id];
  if (id === '') throw new Error(`no server group with name ${name} could be found`);
  if (found.length > 1) throw new Error(`too many server groups with name ${name} were found`);
  return id;
}

function imageId({ image }: Spec, { images }: CloudState): string {
  if (image.id !== undefined) return image.id;
  const name = image.filter?.name ?? '';
  const [first, ...others] = images.filter((candidate) => candidate.name === name);
  const filter = `name=${name}, tags=[]`;
  if (first === undefined) throw new Error(`no images were found with the given image filter: ${filter}`);
  if (others.length > 0) throw new Error(`too many images were found with the given image filter: ${filter}`);
  return first.id;
}

function flavorId({ flavorID, flavor }: Spec, { flavors }: CloudState): string {
  if (flavorID !== undefined) return flavorID;
  const found = flavors.find(({ name }) => name === flavor);
  if (found === undefined) throw new Error(`no flavors were found: name=${flavor}`);
  return found.id;
}

function ports({ spec, metadata }: OpenStackServer): NonNullable<Resolved['ports']> {
  const description = `Created by cluster-api-provider-openstack cluster ${metadata.labels?.[clusterNameLabel] ?? ''}`;
  return spec.ports.map((port, index) => {
    const fixedIPs = (port.fixedIPs ?? []).flatMap(({ subnet }) => (subnet?.id === undefined ? [] : [subnet.id]));
    const securityGroups = (port.securityGroups ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
    return {
      name: `${metadata.name}-${index}`,
      networkID: port.network?.id ?? '',
      description,
      ...(fixedIPs.length === 0 ? {} : { fixedIPs: fixedIPs.map((subnet) => ({ subnet })) }),
      ...(securityGroups.length === 0 ? {} : { securityGroups }),
      ...(spec.tags === undefined ? {} : { tags: spec.tags }),
    };
  });
}
