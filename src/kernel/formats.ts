// The forms of texts in requests: names, keys, locales, times, days; and how deep JSON may be.
import type { Violation } from "./errors/violation.ts";

/** Prefix of client secrets. */
export const clientSecretPrefix = "pas_cs_";

const maxIdempotencyKeyLength = 255;

/** Violations of an idempotency key. @param key without the quotes of the header */
export function findIdempotencyKeyViolations(key: string): Violation[] {
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= maxIdempotencyKeyLength) return [];
  const detail = `An idempotency key has 1 to ${maxIdempotencyKeyLength} visible ASCII characters.`;
  return [{ path: ["idempotencyKey"], code: "invalid_idempotency_key", detail }];
}

/** Most levels of a body, itself included. */
export const maxJsonDepth = 16;
/** Detail of a body with more levels. */
export const depthDetail = `JSON may be nested at most ${maxJsonDepth} levels deep, the body included.`;

/** `question_id` becomes `questionId`. */
export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `questionId` becomes `question_id`. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const maxLocaleLength = 35;

/** Whether a text is a BCP 47 language tag that fits into its column. */
export function isLanguageTag(text: string): boolean {
  if (text.length > maxLocaleLength) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** Violations of the locale of a request; undefined: not given. */
export function findLocaleViolations(locale: string | undefined): Violation[] {
  if (locale === undefined || isLanguageTag(locale)) return [];
  return [{ path: ["locale"], code: "invalid_format", detail: "A locale is a BCP 47 language tag, such as `de-CH`." }];
}

const rfc3339 = /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Whether a text is a time in RFC 3339. */
export function isRfc3339(text: string): boolean {
  const [, day] = rfc3339.exec(text) ?? [];
  return day !== undefined && isCalendarDay(day) && !Number.isNaN(Date.parse(text));
}

/** Whether a time fits into a column: the years 1970 to 9999. @param ms since 1970 */
export function isStorableTime(ms: number): boolean {
  return ms >= 0 && ms < Date.UTC(10_000);
}

/** Whether a text like `2026-02-28` is a day of the calendar. */
export function isCalendarDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** Whether a text is the IANA name of a time zone that this service knows. */
export function isTimeZone(text: string): boolean {
  try {
    return text.length <= 64 && new Intl.DateTimeFormat("en", { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}
