// The rules of requests for links to reports.

import type { Violation } from "../errors/violation.ts";
import { isLanguageTag } from "../formats.ts";
import { type PersonOnReport, personViolations } from "./person-on-report.ts";

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
