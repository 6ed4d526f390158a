import { randomUUID } from 'node:crypto';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { TelemetrySettings } from './telemetry-settings.ts';

/** Who sends the telemetry, as OpenTelemetry's semantic conventions name it. What the environment says counts more than what we know. */
export function processResource({ functionName, version }: TelemetrySettings): Resource {
  const { OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME, K_REVISION, K_SERVICE, HOSTNAME } = process.env;
  return resourceFromAttributes({
    'service.name': K_SERVICE ?? `magnum-${functionName}`,
    'service.namespace': 'magnum-capi-functions',
    'service.version': version,
    'service.instance.id': randomUUID(),
    'faas.name': functionName,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
    ...(K_REVISION === undefined ? {} : { 'faas.version': K_REVISION }),
    ...(HOSTNAME === undefined ? {} : { 'k8s.pod.name': HOSTNAME }),
    ...givenAttributes(OTEL_RESOURCE_ATTRIBUTES ?? ''),
    ...(OTEL_SERVICE_NAME ? { 'service.name': OTEL_SERVICE_NAME } : {}),
  });
}

/** `key=value`, separated by commas, values percent-encoded; all of it is left out where a part cannot be read (OpenTelemetry's rule). */
function givenAttributes(text: string): Record<string, string> {
  try {
    const parts = text.split(',').filter((part) => part.trim() !== '');
    return Object.fromEntries(parts.map(pairOf));
  } catch {
    return {};
  }
}

function pairOf(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  if (at < 1) throw new TypeError('A resource attribute is no pair of key and value.');
  return [part.slice(0, at).trim(), decodeURIComponent(part.slice(at + 1).trim())];
}
