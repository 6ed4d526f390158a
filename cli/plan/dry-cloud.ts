import { createHash, randomUUID } from 'node:crypto';
import type { Session, SessionOpener, SessionOptions } from 'openstack-client-ts';
import * as z from 'zod';

type Call = Parameters<Session['send']>[0];
type Answer = Awaited<ReturnType<Session['send']>>;

/** Something that would be made or deleted in the cloud. */
export interface CloudChange {
  readonly action: 'create' | 'delete';
  /** E.g. `server group`. */
  readonly what: string;
  /** Its name where it would be made, else its id. */
  readonly name: string;
}

const named = z.record(z.string(), z.looseObject({ name: z.string().default('') }));

const nouns: Readonly<Record<string, string>> = {
  'os-server-groups': 'server group',
  application_credentials: 'application credential',
  loadbalancers: 'load balancer',
  floatingips: 'floating IP',
};

/**
 * Lets an operation read the cloud, and answers for the cloud whatever would change it: what would be made gets an id that nothing
 * has, what would be deleted is gone. A credential that would be made signs in as who would have made it.
 */
export class DryCloud {
  readonly #changes = new Map<string, CloudChange>();
  /** Of credentials that would be made, by their ids. */
  readonly #makers = new Map<string, SessionOptions>();

  /** What ids of things that would be made stand for, in words. */
  readonly placeholders = new Map<string, string>();

  get changes(): readonly CloudChange[] {
    return [...this.#changes.values()];
  }

  readonly open: SessionOpener = (options, open) => {
    const { auth } = options;
    const maker = auth.kind === 'application_credential' ? this.#makers.get(auth.id) : undefined;
    return this.#dry(open(maker ?? options), maker ?? options);
  };

  #dry(session: Session, options: SessionOptions): Session {
    return {
      authentication: () => session.authentication(),
      endpoint: (service, choice) => session.endpoint(service, choice),
      microversions: (service) => session.microversions(service),
      send: async (call) => (call.method === 'GET' ? session.send(call) : this.#answer(call, options)),
      close: () => session.close(),
    };
  }

  #answer(call: Call, options: SessionOptions): Answer {
    const collection = collectionOf(call);
    const what = nouns[collection] ?? collection;
    if (call.method === 'DELETE') {
      const name = decodeURIComponent(call.path.split('/').at(-1) ?? '');
      this.#remember({ action: 'delete', what, name });
      return { status: 204, headers: {}, body: undefined };
    }
    const [[key, thing] = []] = Object.entries(named.parse(call.body));
    if (key === undefined || thing === undefined)
      throw new Error(`A plan cannot answer POST ${call.path} for the cloud.`);
    this.#remember({ action: 'create', what, name: thing.name });
    const id = imaginaryId(what, thing.name);
    this.placeholders.set(id, `(id of the new ${what})`);
    if (collection === 'application_credentials') this.#makers.set(id, options);
    return { status: 201, headers: {}, body: { [key]: { ...thing, id, secret: randomUUID() } } };
  }

  #remember(change: CloudChange): void {
    this.#changes.set(JSON.stringify(change), change);
  }
}

/** `os-server-groups` of `/os-server-groups/<id>`, `application_credentials` of `/users/<id>/application_credentials`. */
function collectionOf({ method, path }: Call): string {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.at(method === 'DELETE' ? -2 : -1) ?? '';
}

/** A UUID, the same for the same thing: two plans of one event say the same. */
function imaginaryId(what: string, name: string): string {
  const digits = createHash('sha256').update(`plan ${what} ${name}`).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
