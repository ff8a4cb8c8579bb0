// The rules of requests for reports and for links to them, as far as the request itself tells.
import type { Violation } from "../errors/violation.ts";
import { isCalendarDay, isLanguageTag, isLongerThan, isTimeZone } from "../formats.ts";

/** As many as are read of an Accept-Language header. */
const maxLanguages = 32;
const maxKnownTags = 20;

/** How a report is asked for, whatever the session. */
export interface ReportRequest extends PersonOnReport {
  /** Undefined: none is asked for by name. */
  readonly locale: string | undefined;
  /** Of the reader, the preferred one first; what is no tag is passed over. */
  readonly languages: readonly string[];
  readonly knownEntityTags: readonly string[];
}

/** Every violation of the request. REST takes all of it from the query and from headers; `locale`, which is a
 * member of bodies elsewhere, is named in words. */
export function reportRequestViolations({ locale, languages, knownEntityTags, ...person }: ReportRequest): Violation[] {
  const many = (what: string, most: number): Violation[] => [
    { path: [], code: "too_many_items", detail: `At most ${most} ${what} can be given.` },
  ];
  return [
    ...(locale === undefined || isLanguageTag(locale)
      ? []
      : [{ path: [], code: "invalid_format", detail: "The locale is no BCP 47 language tag." }]),
    ...personViolations(person, () => []),
    ...(languages.length > maxLanguages ? many("languages", maxLanguages) : []),
    ...(knownEntityTags.length > maxKnownTags ? many("known entity tags", maxKnownTags) : []),
  ];
}

/** The violation of a parameter that has another value than those it can have. */
export function unknownValue(parameter: "picture" | "paper", values: readonly string[]): Violation {
  return { path: [parameter], code: "unknown_value", detail: `Must be one of: ${values.join(", ")}.` };
}

export interface PersonOnReport {
  /** Undefined: none is to stand on the report. */
  readonly name?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly date?: string | undefined;
  /** IANA name. Undefined: days are told in UTC. */
  readonly timeZone?: string | undefined;
}

const maxNameLength = 60;

/** Every violation. @param pathOf path of a member in the request */
export function personViolations(
  { name, date, timeZone }: PersonOnReport,
  pathOf: (member: "name" | "date" | "timeZone") => string[],
): Violation[] {
  return [
    ...(name === undefined ? [] : nameViolations(name, pathOf("name"))),
    ...(date === undefined || isCalendarDay(date)
      ? []
      : [{ path: pathOf("date"), code: "invalid_format", detail: "A date is a day of the calendar: 2026-11-23." }]),
    ...(timeZone === undefined || isTimeZone(timeZone)
      ? []
      : [{ path: pathOf("timeZone"), code: "invalid_format", detail: "A time zone is named as in Europe/Berlin." }]),
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

const hour = 3_600;
const shortest = hour;
const longest = 90 * 24 * hour;

/** How long a link works unless its request says otherwise, in seconds. */
export const defaultLinkSeconds = 7 * 24 * hour;

export interface ReportLinkRequest extends PersonOnReport {
  readonly expiresInSeconds: number | undefined;
  readonly locale: string | undefined;
}

/** Every violation of the request. */
export function reportLinkViolations({ expiresInSeconds, locale, ...person }: ReportLinkRequest): Violation[] {
  const seconds = expiresInSeconds ?? defaultLinkSeconds;
  return [
    ...(Number.isInteger(seconds) && seconds >= shortest && seconds <= longest
      ? []
      : [{ path: ["expiresInSeconds"], code: "out_of_range", detail: `Must be from ${shortest} to ${longest}.` }]),
    ...(locale === undefined || isLanguageTag(locale)
      ? []
      : [{ path: ["locale"], code: "invalid_format", detail: "A locale is a BCP 47 language tag." }]),
    ...personViolations(person, (member) => [member]),
  ];
}
