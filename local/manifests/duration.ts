const units = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 } as const;

const iso8601 = /^P(?:(?<days>\d+)D)?(?:T(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/;

/**
 * Milliseconds of an ISO 8601 duration such as `PT0.5S`; years and months have no fixed length and are refused.
 * @returns undefined for anything else
 */
export function durationMilliseconds(text: string): number | undefined {
  const groups = iso8601.exec(text)?.groups;
  if (groups === undefined || text.endsWith('T') || text === 'P') return undefined;
  return Object.entries(units).reduce((sum, [unit, length]) => sum + Number(groups[unit] ?? 0) * length, 0);
}
