/** Whether MariaDB, as OpenStack is installed on it, takes one text for the other: case, accents and spaces behind do not count. */
export function sameInDatabase(one: string, other: string): boolean {
  return one.trimEnd().localeCompare(other.trimEnd(), 'en', { sensitivity: 'base' }) === 0;
}
