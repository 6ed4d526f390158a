import { readable } from './error-text.ts';
import { AmbiguousError, NotFoundError } from './errors.ts';

/** What is looked for, for the messages. */
export interface Sought {
  readonly service: string;
  /** As `flavor`, `external network`. */
  readonly noun: string;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The services store names of at most 255 characters. */
const maxNameLength = 255;
/** Ids that an ambiguity's message lists. */
const listedIds = 3;

/** Whether a text can be a name or id at all; others are not asked for. */
export function canBeName(text: string): boolean {
  return text !== '' && text.length <= maxNameLength && !text.includes('\0');
}

/** Images, networks and subnets have UUIDs; flavors may have any id. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** The thing of that id, else the only one of that name. @throws NotFoundError, AmbiguousError */
export function pickOne<T extends Named>(things: readonly T[], nameOrId: string, sought: Sought): T {
  const byId = things.find((thing) => thing.id === nameOrId);
  if (byId !== undefined) return byId;
  const named = new Map(things.filter((thing) => thing.name === nameOrId).map((thing) => [thing.id, thing]));
  const [only] = named.values();
  if (only === undefined) throw notFound(nameOrId, sought);
  if (named.size === 1) return only;
  const ids = [...named.keys()];
  const listed = `${ids.slice(0, listedIds).join(', ')}${ids.length > listedIds ? ', …' : ''}`;
  throw new AmbiguousError(
    `There are ${ids.length} ${sought.noun}s with the name ${quoted(nameOrId)}: give the id instead (${listed}).`,
    { service: sought.service, ids },
  );
}

/** The error for a thing that does not exist, naming it. */
export function notFound(nameOrId: string, sought: Sought, cause?: unknown): NotFoundError {
  const { service, noun } = sought;
  return new NotFoundError(`There is no ${noun} with the name or id ${quoted(nameOrId)}.`, { service, cause });
}

function quoted(text: string): string {
  const line = readable(text.toWellFormed());
  return `"${line.length > 100 ? `${line.slice(0, 100)}…` : line}"`;
}
