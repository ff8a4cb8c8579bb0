// Identifiers: which texts are one, and how one is made.
import { stringify, v5 as uuidv5, v7 as uuidv7 } from "uuid";
import type { Clock, RandomBytes } from "./environment.ts";
import type { Violation } from "./errors.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const anonymousPrefix = "anon_";
const controlCharacter = /\p{Cc}/u;
const maxExternalIdLength = 255;
const maxIdempotencyKeyLength = 255;

/** The UUID in its canonical lower-case form, or undefined where the text is none. */
export function parseUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  return uuidPattern.test(lower) ? lower : undefined;
}

/** A UUIDv7: ids made later sort later, so rows are appended. */
export function newId(clock: Clock, random: RandomBytes): string {
  return uuidv7({ msecs: clock(), random: random(16) });
}

/** A person as one partner knows them. */
export interface Subject {
  /** UUID, stable for one external id at one partner. */
  readonly id: string;
  readonly externalId: string;
  readonly anonymous: boolean;
}

/** A new anonymous person. */
export function anonymousSubject(random: RandomBytes): Subject {
  const bytes = Uint8Array.from(random(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const id = stringify(bytes);
  return { id, externalId: anonymousPrefix + id, anonymous: true };
}

/** The person of a stored external id, which may be one that `anonymousSubject` gave. */
export function subjectOf(partnerId: string, externalId: string): Subject {
  const anonymous = externalId.startsWith(anonymousPrefix);
  const id = anonymous ? externalId.slice(anonymousPrefix.length) : uuidv5(externalId, partnerId);
  return { id, externalId, anonymous };
}

/**
 * Faults of an external id that a partner gives to a person.
 * Lengths are counted in Unicode code points; the text is compared byte for byte, so nothing is trimmed or folded.
 */
export function externalIdFaults(externalId: string, path: Violation["path"]): Violation[] {
  const fault = (code: string, detail: string): Violation[] => [{ path, code, detail }];
  if (!externalId.isWellFormed()) return fault("invalid_characters", "The text holds a lone surrogate.");
  if (externalId === "") return fault("too_short", "An external id has at least 1 character.");
  if (isLongerThan(externalId, maxExternalIdLength)) {
    return fault("too_long", `An external id has at most ${maxExternalIdLength} characters.`);
  }
  if (controlCharacter.test(externalId)) return fault("invalid_characters", "Control characters are not allowed.");
  if (externalId === "." || externalId === "..") {
    return fault("reserved", "URL clients fold `.` and `..` away, so they cannot name a person.");
  }
  if (externalId.startsWith(anonymousPrefix)) {
    return fault("reserved", `The prefix \`${anonymousPrefix}\` is kept for anonymous persons.`);
  }
  return [];
}

/** Whether a text has more than `limit` code points. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit);
}

/** Faults of an idempotency key; the key is taken without the quotes it may have come in. */
export function idempotencyKeyFaults(key: string): Violation[] {
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= maxIdempotencyKeyLength) return [];
  const detail = `An idempotency key has 1 to ${maxIdempotencyKeyLength} visible ASCII characters.`;
  return [{ path: ["idempotencyKey"], code: "invalid_idempotency_key", detail }];
}
