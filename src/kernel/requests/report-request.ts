// The rules of requests for reports, as far as the request itself tells.

import type { Violation } from "../errors/violation.ts";
import { isLanguageTag, isLongerThan } from "../formats.ts";

/** As many as are read of an Accept-Language header. */
const maxLanguages = 32;
const maxKnownTags = 20;

/** How a report is asked for, whatever the session. */
export interface ReportRequest {
  /** Undefined: none is asked for by name. */
  readonly locale: string | undefined;
  /** Of the reader, the preferred one first; what is no tag is passed over. */
  readonly languages: readonly string[];
  readonly knownEntityTags: readonly string[];
  /** Undefined: none is to stand on the report. */
  readonly name?: string | undefined;
  readonly date?: string | undefined;
}

const maxNameLength = 60;

/** Every violation of the request. REST takes all of it from the query and from headers; `locale`, which is a
 * member of bodies elsewhere, is named in words. */
export function reportRequestViolations({
  locale,
  languages,
  knownEntityTags,
  name,
  date,
}: ReportRequest): Violation[] {
  const many = (what: string, most: number): Violation[] => [
    { path: [], code: "too_many_items", detail: `At most ${most} ${what} can be given.` },
  ];
  return [
    ...(locale === undefined || isLanguageTag(locale)
      ? []
      : [{ path: [], code: "invalid_format", detail: "The locale is no BCP 47 language tag." }]),
    ...(name === undefined ? [] : nameViolations(name)),
    ...(date === undefined || isDay(date)
      ? []
      : [{ path: [], code: "invalid_format", detail: "A date is a day of the calendar: 2026-11-23." }]),
    ...(languages.length > maxLanguages ? many("languages", maxLanguages) : []),
    ...(knownEntityTags.length > maxKnownTags ? many("known entity tags", maxKnownTags) : []),
  ];
}

function nameViolations(name: string): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path: [], code, detail }];
  if (name.trim() === "") return violation("too_short", "A name has at least 1 visible character.");
  if (isLongerThan(name, maxNameLength))
    return violation("too_long", `A name has at most ${maxNameLength} characters.`);
  const isPlain = name.isWellFormed() && !/\p{Cc}/u.test(name);
  return isPlain ? [] : violation("invalid_characters", "Control characters are not allowed.");
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The violation of a parameter that has another value than those it can have. */
export function unknownValue(parameter: "picture" | "paper", values: readonly string[]): Violation {
  return { path: [parameter], code: "unknown_value", detail: `Must be one of: ${values.join(", ")}.` };
}
