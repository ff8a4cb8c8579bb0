// Values of options, as they are read.
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { isCalendarDay, isStorableTime } from "../../kernel/formats.ts";
import { isCanonicalUuid } from "../../kernel/ids.ts";

/** A UUID in lower case. */
export function uuid(text: string): string {
  if (isCanonicalUuid(text)) return text;
  throw new InvalidArgumentError("It must be a UUID.");
}

/** A moment: a day, or a time with its zone. */
export function time(text: string): Date {
  const isMoment = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:\d\d))?$/.test(text) && isCalendarDay(text.slice(0, 10));
  if (isMoment && isStorableTime(Date.parse(text))) return new Date(text);
  throw new InvalidArgumentError("It must be a day since 1970, or a time with its zone, such as 2026-11-21T15:04:05Z.");
}

/** A number from 1. */
export function positive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number from 1.");
}

/** A number of days, or `never`. */
export function days(text: string): number | "never" {
  if (text === "never") return text;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number of days, or never.");
}
