import { ipv4Subnet } from '../syntax/cidr.ts';
import { dnsDomain, ipAddress, oneOf, providerName } from '../syntax/text-format.ts';
import { booleanLabel, cidrLabel, textLabel } from './label-definition.ts';

/** Kubeadm gives each node a /24 (IPv6: /64) of the pods' network and takes at most 16 bits more. */
const podLimits = { 4: [8, 24], 6: [48, 64] } as const;

/** Kubeadm wants at least 10 addresses for Services and at most 20 bits. */
const serviceLimits = { 4: [12, 28], 6: [108, 124] } as const;

/** CAPO makes IPv4 subnets only; a smaller one has no room for the API and its load balancer. */
const nodeSubnet = ipv4Subnet(8, 29);

export const loadBalancerAlgorithms = ['ROUND_ROBIN', 'LEAST_CONNECTIONS', 'SOURCE_IP', 'SOURCE_IP_PORT'] as const;

/** Networks, addresses and load balancers. */
export const networkLabels = {
  calico_ipv4pool: cidrLabel({
    limits: podLimits,
    default: '10.100.0.0/16',
    meaning: 'Network of the pods, where the network driver is calico.',
  }),
  cilium_ipv4pool: cidrLabel({
    limits: podLimits,
    default: '10.100.0.0/16',
    meaning: 'Network of the pods, where the network driver is cilium.',
  }),
  service_cluster_ip_range: cidrLabel({
    limits: serviceLimits,
    default: '10.254.0.0/16',
    meaning: 'Network of the Services.',
  }),
  fixed_subnet_cidr: textLabel({
    type: 'IPv4 CIDR',
    parse: nodeSubnet,
    default: '10.0.0.0/24',
    meaning: 'Network of the nodes, where the cluster gets a network of its own (no `fixed_network`).',
  }),
  dns_cluster_domain: textLabel({
    type: 'DNS name',
    parse: dnsDomain,
    default: 'cluster.local',
    meaning: 'Domain of the Services.',
  }),
  master_lb_floating_ip_enabled: booleanLabel({
    default: true,
    meaning: 'Whether the API gets a floating IP.',
  }),
  api_server_floating_ip: textLabel({
    type: 'IP address',
    parse: ipAddress,
    default: null,
    shownDefault: 'a new one',
    meaning: 'Floating IP of the API that exists already.',
  }),
  octavia_provider: textLabel({
    parse: providerName,
    default: null,
    shownDefault: "`amphorav2` for Services, Octavia's default for the API",
    meaning: 'Octavia provider of the load balancers for the API and for Services.',
  }),
  octavia_lb_algorithm: textLabel({
    type: loadBalancerAlgorithms.join(', '),
    parse: oneOf(loadBalancerAlgorithms),
    default: null,
    shownDefault: '`SOURCE_IP_PORT` with provider ovn, else `ROUND_ROBIN`',
    meaning: 'How load balancers for Services choose a node; ovn knows SOURCE_IP_PORT only, amphora all others.',
  }),
  octavia_lb_healthcheck: booleanLabel({
    default: true,
    meaning: 'Whether load balancers for Services check the health of the nodes.',
  }),
  api_server_lb_flavor: textLabel({
    default: null,
    meaning: "Octavia flavor of the API's load balancer.",
  }),
  api_server_lb_availability_zone: textLabel({
    default: null,
    meaning: "Availability zone of the API's load balancer.",
  }),
};
