// Validates requests for reports, beyond the bounds of their messages.
import type { Violation } from "../../kernel/errors/violation.ts";
import { isCalendarDay, isTimeZone, localeViolations } from "../../kernel/formats.ts";

/** The fields of a report request. */
export interface ReportRequest {
  /** BCP 47 tag; undefined: no language is requested. */
  readonly locale?: string | undefined;
  /** What to print on the report, if anything. */
  readonly name?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly date?: string | undefined;
  /** IANA name. Undefined: days are in UTC. */
  readonly timeZone?: string | undefined;
}

/** Every violation of a step that a person chose. */
export function intentionViolations({
  step,
  lookAgainOn,
}: {
  step: string;
  lookAgainOn?: string | undefined;
}): Violation[] {
  const control = {
    path: ["step"],
    code: "invalid_characters",
    detail: "A step is one line, without control characters.",
  };
  const day = { path: ["lookAgainOn"], code: "invalid_format", detail: "A date is a day of the calendar: 2027-01-07." };
  return [
    ...(/\p{Cc}/u.test(step) ? [control] : []),
    ...(lookAgainOn !== undefined && !isCalendarDay(lookAgainOn) ? [day] : []),
  ];
}

/** Every violation of the request. */
export function reportRequestViolations({ locale, name, date, timeZone }: ReportRequest): Violation[] {
  const violations = localeViolations(locale);
  const found = (path: string, code: string, detail: string) => violations.push({ path: [path], code, detail });
  if (name?.trim() === "") found("name", "too_short", "A name has at least 1 visible character.");
  else if (name !== undefined && /\p{Cc}/u.test(name)) {
    found("name", "invalid_characters", "Control characters are not allowed.");
  }
  if (date !== undefined && !isCalendarDay(date)) {
    found("date", "invalid_format", "A date is a day of the calendar: 2026-11-23.");
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    found("timeZone", "invalid_format", "A time zone is named as in Europe/Berlin.");
  }
  return violations;
}
