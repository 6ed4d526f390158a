/** Where a rule holds; without a field it holds for all. */
export interface FaultScope {
  /** Name of the Cluster. */
  readonly cluster?: string;
  /** Name of the Machine. */
  readonly machine?: RegExp;
  readonly role?: 'control-plane' | 'worker';
}

/** The step of an OpenStackCluster that fails. */
export type InfrastructurePart =
  | 'external-network'
  | 'network'
  | 'subnet'
  | 'router'
  | 'security-groups'
  | 'load-balancer'
  /** It never leaves PENDING_CREATE; CAPO gives up waiting, and waits again. */
  | 'load-balancer-not-active'
  | 'floating-ip';

export type FaultRule = FaultScope &
  (
    | {
        /** Nova refuses the server. CAPO tries that never again: it takes a new Machine. */
        readonly kind: 'quota-exceeded';
        /** @default 'Quota exceeded for instances: Requested 1, but already used 10 of 10 instances' */
        readonly message?: string;
      }
    | {
        /** Nova puts the server in ERROR. CAPO does not look at it again: it takes a new Machine. */
        readonly kind: 'no-valid-host';
        /** What Nova says in the server's fault. @default 'No valid host was found. There are not enough hosts available.' */
        readonly message?: string;
      }
    /** Nova refuses the server for its image. It takes a new Machine too. */
    | { readonly kind: 'image-not-found' }
    /** The server stays in BUILD until the rule is removed. */
    | { readonly kind: 'stays-in-build' }
    /** The server is ACTIVE, but its kubelet starts only when the rule is removed. */
    | { readonly kind: 'never-joins' }
    /** A running machine dies; it comes back when the rule is removed. */
    | { readonly kind: 'dies' }
    | {
        /** A step of the OpenStackCluster fails and is tried again and again. */
        readonly kind: 'infrastructure-fails';
        readonly part: InfrastructurePart;
        /** What the OpenStack service says. @default what it says beyond its quota */
        readonly message?: string;
      }
    /** What is deleted (servers, load balancers) stays until the rule is removed. */
    | { readonly kind: 'slow-deletion' }
  );

/** What a rule is matched with. */
export interface FaultTarget {
  readonly cluster: string;
  /** Missing for a cluster's own infrastructure. */
  readonly machine?: { readonly name: string; readonly isControlPlane: boolean };
}

/** The faults that hold now. */
export class FaultRules {
  readonly #rules = new Set<FaultRule>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Puts a rule in force and returns what removes it again. */
  set(rule: FaultRule): () => void {
    // A copy, so that the same rule can be in force twice.
    const own = { ...rule };
    this.#rules.add(own);
    this.#onChange();
    return () => {
      if (this.#rules.delete(own)) this.#onChange();
    };
  }

  clear(): void {
    this.#rules.clear();
    this.#onChange();
  }

  /** The first rule of that kind that holds for the target. */
  find<Kind extends FaultRule['kind']>(
    kind: Kind,
    target: FaultTarget,
  ): Extract<FaultRule, { kind: Kind }> | undefined {
    return [...this.#rules].filter((rule) => isOfKind(rule, kind)).find((rule) => holds(rule, target));
  }

  /** Like `find`, for the step of a cluster's infrastructure. */
  findPart(
    part: InfrastructurePart,
    cluster: string,
  ): Extract<FaultRule, { kind: 'infrastructure-fails' }> | undefined {
    return [...this.#rules]
      .filter((rule) => isOfKind(rule, 'infrastructure-fails'))
      .find((rule) => rule.part === part && holds(rule, { cluster }));
  }
}

function isOfKind<Kind extends FaultRule['kind']>(
  rule: FaultRule,
  kind: Kind,
): rule is Extract<FaultRule, { kind: Kind }> {
  return rule.kind === kind;
}

function holds({ cluster, machine, role }: FaultScope, target: FaultTarget): boolean {
  if (cluster !== undefined && cluster !== target.cluster) return false;
  if (machine === undefined && role === undefined) return true;
  if (target.machine === undefined) return false;
  if (machine !== undefined && !machine.test(target.machine.name)) return false;
  return role === undefined || (role === 'control-plane') === target.machine.isControlPlane;
}
