/** Fields of a live OpenStackCluster's spec (infrastructure v1beta1) which CAPO refuses to change. */
export interface LiveInfrastructure {
  readonly apiServerLoadBalancer?: {
    readonly enabled?: boolean;
    readonly provider?: string;
    readonly flavor?: string;
    readonly availabilityZone?: string;
  };
  readonly apiServerFloatingIP?: string;
  readonly disableAPIServerFloatingIP?: boolean;
  readonly externalNetwork?: { readonly id?: string };
  readonly network?: { readonly id?: string };
  readonly subnets?: readonly { readonly id?: string }[];
  readonly managedSubnets?: readonly { readonly cidr: string; readonly dnsNameservers?: readonly string[] }[];
}
