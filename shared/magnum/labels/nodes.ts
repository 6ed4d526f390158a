import { oneOf, zone } from '../syntax/text-format.ts';
import { booleanLabel, countLabel, listLabel, textLabel } from './label-definition.ts';

export const serverGroupPolicies = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] as const;

/** Number, health and place of the nodes. */
export const nodeLabels = {
  auto_healing_enabled: booleanLabel({
    default: true,
    scope: 'nodegroup',
    meaning: 'Whether a node that stays unhealthy for 5 minutes is replaced.',
  }),
  auto_scaling_enabled: booleanLabel({
    default: false,
    scope: 'nodegroup',
    meaning: 'Whether the cluster autoscaler chooses the number of workers between minimum and maximum.',
  }),
  min_node_count: countLabel({
    default: null,
    shownDefault: 'field `min_node_count`',
    scope: 'nodegroup',
    meaning:
      'Fewest nodes with autoscaling, where the nodegroup has no minimum of its own; the label of the cluster counts for the default worker nodegroup only.',
  }),
  max_node_count: countLabel({
    default: null,
    shownDefault: 'minimum + 1',
    minimum: 1,
    scope: 'nodegroup',
    meaning:
      'Most nodes with autoscaling, where the nodegroup has no maximum of its own; the label of the cluster counts for the default worker nodegroup only.',
  }),
  availability_zone: textLabel({
    parse: zone,
    default: null,
    scope: 'nodegroup',
    meaning: "Availability zone of the nodegroup's servers and of the etcd and docker volumes.",
  }),
  control_plane_availability_zones: listLabel({
    items: 'zones',
    parse: zone,
    default: [],
    meaning: 'Availability zones over which the masters are spread.',
  }),
  server_group_policies: listLabel({
    items: serverGroupPolicies.join(', '),
    parse: oneOf(serverGroupPolicies),
    default: ['soft-anti-affinity'],
    scope: 'nodegroup',
    tolerated: true,
    meaning: 'Policy of the Nova server group of the masters and of each nodegroup; the first one counts.',
  }),
  different_failure_domain: booleanLabel({
    default: false,
    scope: 'nodegroup',
    meaning: 'Whether Nova is asked to put the servers of a group into different failure domains.',
  }),
};
