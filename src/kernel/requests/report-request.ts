// The rules of requests for reports, as far as the request itself tells.

import type { Violation } from "../errors/violation.ts";
import { isLanguageTag } from "../formats.ts";
import { type PersonOnReport, personViolations } from "./person-on-report.ts";

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
