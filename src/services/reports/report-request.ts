// Validates requests for reports, beyond the bounds of their messages.
import type { GetReportRequest, SetIntentionRequest } from "../../gen/assessment/v1/report_service_pb.ts";
import { throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { findLocaleViolations, isCalendarDay, isTimeZone } from "../../kernel/formats.ts";

/** The reader of a report by its request: their language, and the texts to print on it. */
type ReportRequest = Partial<Pick<GetReportRequest, "locale" | "name" | "date" | "timeZone">>;

/** The languages of a report's readers, the requested one first. Throws `invalid_request`. */
export function readLanguages(request: ReportRequest & Pick<GetReportRequest, "languages">): readonly string[] {
  throwIfInvalid(findReportRequestViolations(request));
  const { locale, languages } = request;
  return locale === undefined ? languages : [locale, ...languages];
}

/** Every violation of a step that a person chose. */
export function findIntentionViolations({ step, lookAgainOn }: Pick<SetIntentionRequest, "step" | "lookAgainOn">) {
  const violations: Violation[] = [];
  if (/\p{Cc}/u.test(step)) {
    const detail = "A step is one line, without control characters.";
    violations.push({ path: ["step"], code: "invalid_characters", detail });
  }
  if (lookAgainOn !== undefined && !isCalendarDay(lookAgainOn)) {
    const detail = "A date is a day of the calendar: 2027-01-07.";
    violations.push({ path: ["lookAgainOn"], code: "invalid_format", detail });
  }
  return violations;
}

/** Every violation of the request. */
export function findReportRequestViolations({ locale, name, date, timeZone }: ReportRequest): Violation[] {
  const violations = findLocaleViolations(locale);
  const addViolation = (path: string, code: string, detail: string) => violations.push({ path: [path], code, detail });
  if (name?.trim() === "") addViolation("name", "too_short", "A name has at least 1 visible character.");
  else if (name !== undefined && /\p{Cc}/u.test(name)) {
    addViolation("name", "invalid_characters", "Control characters are not allowed.");
  }
  if (date !== undefined && !isCalendarDay(date)) {
    addViolation("date", "invalid_format", "A date is a day of the calendar: 2026-11-23.");
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    addViolation("timeZone", "invalid_format", "A time zone is named as in Europe/Berlin.");
  }
  return violations;
}
