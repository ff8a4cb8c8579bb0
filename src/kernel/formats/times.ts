// Days and times as texts, whoever reads them first. JavaScript takes the 30th of February for the 2nd of March, and 24:00 for
// midnight of the next day: both are mistakes of whoever wrote them.

const rfc3339 = /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Whether a text is a moment in RFC 3339. */
export function isTime(text: string): boolean {
  const [, day] = rfc3339.exec(text) ?? [];
  return day !== undefined && isCalendarDay(day) && !Number.isNaN(Date.parse(text));
}

/** Whether a text like `2026-02-28` is a day of the calendar. */
export function isCalendarDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}
