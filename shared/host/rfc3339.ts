const dateTime = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether a text is a time as RFC 3339 §5.6 writes it, in capitals. Leap seconds are none: JavaScript has no such time. */
export function isRfc3339(text: string): boolean {
  const date = dateTime.exec(text)?.[1];
  return date !== undefined && !Number.isNaN(Date.parse(text)) && isInCalendar(date);
}

/** `Date` takes 30 February for 2 March. */
function isInCalendar(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
