// Times in requests.

/** What is wrong with a text that is none. */
export const timeDetail = "Must be a time with its zone, such as 2026-11-20T09:30:00Z.";

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** A moment in RFC 3339, undefined for any other text. */
export function parseTime(text: string): Date | undefined {
  const time = new Date(rfc3339.test(text) ? text : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
