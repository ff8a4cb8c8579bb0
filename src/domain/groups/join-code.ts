// Codes by which people join a group: short enough to type, and too many to guess one. Like other secrets, only their hash is
// stored.

import type { RandomBytes } from "../../kernel/environment.ts";
import type { PersonAccess } from "../sessions/session.ts";
import { byteText, inColumn, type ObjectOf, plain } from "../stored-fields.ts";

export const joinCodeFields = {
  /** SHA-256 of the code's 12 characters. */
  hash: inColumn("join_hash", plain<Uint8Array>()),
  redirectUrl: inColumn("join_redirect_url", byteText),
  personAccess: inColumn("join_person_access", plain<PersonAccess>()),
  expiresAt: inColumn("join_expires_at", plain<Date>()),
  /** Most sessions that join by it. */
  maxSessions: inColumn("join_max_sessions", plain<number>()),
  /** Sessions that have joined by it. */
  joinedSessions: inColumn("joined_by_code", plain<number>()),
};

/** The terms on which people may join a group by its code. */
export interface JoinCode extends ObjectOf<typeof joinCodeFields> {}

/** Crockford's base32: none of its characters looks like another one. */
const characters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 12;

/** A new code with 60 random bits. */
export function createJoinCode(random: RandomBytes): string {
  return Array.from(random(length), (byte) => characters.charAt(byte % characters.length)).join("");
}

/** The code in groups of four, for people to type. */
export function formatJoinCode(code: string): string {
  return code.replace(/(?<=^(?:.{4})+)(?=.)/g, "-");
}

/** The code that somebody typed; undefined if it is none. */
export function parseJoinCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll("-", "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return code.length === length && [...code].every((each) => characters.includes(each)) ? code : undefined;
}
