// The rules of what a partner puts on a report: whose it is, and for which day.
import type { Violation } from "../errors/violation.ts";
import { isCalendarDay, isLongerThan } from "../formats.ts";

export interface PersonOnReport {
  /** Undefined: none is to stand on the report. */
  readonly name?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly date?: string | undefined;
}

const maxNameLength = 60;

/** Every violation. @param pathOf path of a member in the request */
export function personViolations(
  { name, date }: PersonOnReport,
  pathOf: (member: "name" | "date") => string[],
): Violation[] {
  return [
    ...(name === undefined ? [] : nameViolations(name, pathOf("name"))),
    ...(date === undefined || isCalendarDay(date)
      ? []
      : [{ path: pathOf("date"), code: "invalid_format", detail: "A date is a day of the calendar: 2026-11-23." }]),
  ];
}

function nameViolations(name: string, path: string[]): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path, code, detail }];
  if (name.trim() === "") return violation("too_short", "A name has at least 1 visible character.");
  if (isLongerThan(name, maxNameLength))
    return violation("too_long", `A name has at most ${maxNameLength} characters.`);
  const isPlain = name.isWellFormed() && !/\p{Cc}/u.test(name);
  return isPlain ? [] : violation("invalid_characters", "Control characters are not allowed.");
}
