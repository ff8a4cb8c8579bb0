// The cursor of a list: the session that a page ended with, bound to what was asked for. It is no secret and needs none:
// every statement names the partner, so a cursor that somebody makes up reaches nothing that they could not list anyway.
// What it is bound to keeps callers from mistakes: with other filters it would leave out sessions, silently.
import { createHash } from "node:crypto";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { parseUuid } from "../identifiers.ts";

/** Characters of the base64url of 12 bytes. */
const sealLength = 16;

/** The cursor behind a session. @param asked all that the list depends on, as values of JSON */
export function listCursor(sessionId: string, asked: readonly unknown[]): string {
  return sessionId.replaceAll("-", "") + seal(sessionId, asked);
}

/** The session that a cursor is behind; throws `invalid_request` for one that belongs to no page of this list. */
export function readListCursor(cursor: string, asked: readonly unknown[]): string {
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(cursor) ?? [];
  const sessionId = parseUuid(parts.join("-"));
  if (sessionId !== undefined && listCursor(sessionId, asked) === cursor) return sessionId;
  const detail = "A cursor is the `next` of a page of this very list. Keep the filters, or begin without a cursor.";
  throw invalidRequest([{ path: ["after"], code: "invalid_cursor", detail }]);
}

function seal(sessionId: string, asked: readonly unknown[]): string {
  const digest = createHash("sha256").update(JSON.stringify([sessionId, ...asked]));
  return digest.digest("base64url").slice(0, sealLength);
}
