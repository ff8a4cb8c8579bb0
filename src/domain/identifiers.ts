// Ids of what is made: sessions, persons.
import { hash } from "node:crypto";
import { v4 as uuidv4, v5 as uuidv5, v7 as uuidv7 } from "uuid";
import type { RandomBytes } from "../kernel/environment.ts";

/** Prefix of the external ids that the service gives to anonymous persons. */
export const anonymousPrefix = "anon_";

/**
 * A UUIDv7: ids made later sort later, so rows are appended.
 * @param at the time that is stored with it, so that both give the same order
 */
export function createId(at: Date, random: RandomBytes): string {
  return uuidv7({ msecs: at.getTime(), random: random(16) });
}

/** The first id of a time: ids that are made earlier are less. @param time milliseconds since 1970; negative ones count as 0 */
export function computeFirstId(time: number): string {
  return uuidv7({ msecs: Math.max(0, time), random: new Uint8Array(16) });
}

/** An id is made shortly before the creation time is read, by the clock of the same process. */
export const idLeadMs = 1_000;

/** In place of a client: an operator at the command line. */
export const operatorClientId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A person as one partner knows them. */
export interface Subject {
  /** UUID, stable for one external id at one partner. */
  readonly id: string;
  readonly externalId: string;
  readonly anonymous: boolean;
}

/** A new anonymous person. */
export function createAnonymousSubject(random: RandomBytes): Subject {
  const id = uuidv4({ random: Uint8Array.from(random(16)) });
  return { id, externalId: anonymousPrefix + id, anonymous: true };
}

/** The person of a stored external id, which may be one from `createAnonymousSubject`. */
export function toSubject(partnerId: string, externalId: string): Subject {
  const anonymous = externalId.startsWith(anonymousPrefix);
  const id = anonymous ? externalId.slice(anonymousPrefix.length) : uuidv5(externalId, partnerId);
  return { id, externalId, anonymous };
}

/** The id of an operator's key: the first 4 bytes of its SHA-256. */
export function computeKeyId(key: Uint8Array): Buffer {
  return hash("sha256", key, "buffer").subarray(0, 4);
}
