/** Who has measured, in OpenTelemetry's words. */
export const instrumentationScope = { name: 'magnum-capi-functions' };

/** Seconds and nanoseconds from milliseconds. */
export function highResolutionTime(milliseconds: number): [number, number] {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
