import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import type { EventFilter, Trigger } from '../manifests/knative-objects.ts';

/** Whether a Trigger wants an event: every one of its `filters` holds; where it has none, its older `filter` counts. */
export function selects({ spec }: Trigger, event: CarriedEvent): boolean {
  const { filter, filters = [] } = spec;
  if (filters.length > 0) return filters.every((each) => holds(each, event));
  const wanted = Object.entries(filter?.attributes ?? {});
  return wanted.every(([name, value]) => {
    const actual = attributeOf(event, name);
    // An empty value asks for any value.
    return value === '' ? actual !== undefined && actual !== '' : actual === value;
  });
}

function holds(filter: EventFilter, event: CarriedEvent): boolean {
  if ('exact' in filter) return each(filter.exact, event, (actual, value) => actual === value);
  if ('prefix' in filter) return each(filter.prefix, event, (actual, value) => actual.startsWith(value));
  if ('suffix' in filter) return each(filter.suffix, event, (actual, value) => actual.endsWith(value));
  if ('all' in filter) return filter.all.every((inner) => holds(inner, event));
  if ('any' in filter) return filter.any.some((inner) => holds(inner, event));
  return !holds(filter.not, event);
}

function each(
  wanted: Readonly<Record<string, string>>,
  event: CarriedEvent,
  compare: (actual: string, value: string) => boolean,
): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const actual = attributeOf(event, name);
    return actual !== undefined && compare(actual, value);
  });
}

function attributeOf({ attributes, contentType }: CarriedEvent, name: string): string | undefined {
  if (name === 'datacontenttype') return contentType;
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}
