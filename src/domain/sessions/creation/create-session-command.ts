// The command that starts a session, and what makes two commands the same.
import { createHash } from "node:crypto";
import type { SessionRequest } from "../../../kernel/requests/session-request.ts";

export interface CreateSessionCommand extends SessionRequest {
  readonly product: string;
  /** When the session expires unless it is completed; undefined: never. */
  readonly expiresAt?: Date | undefined;
  /** The group that it joins; undefined: none. */
  readonly groupId?: string | undefined;
}

/**
 * SHA-256 of what the command asks for. Metadata is left out: of it not even a hash is kept.
 */
export function commandHash(command: CreateSessionCommand): Uint8Array {
  const { product, externalId, mode, redirectUrl, locale, personAccess = "none" } = command;
  const meaning = [product, externalId ?? null, mode, redirectUrl ?? null, locale ?? null];
  // Without it a command means what it meant before there was access: its key may be older than this release.
  if (personAccess !== "none") meaning.push(personAccess);
  if (command.expiresAt !== undefined) meaning.push(`until ${command.expiresAt.getTime()}`);
  if (command.groupId !== undefined) meaning.push(`in ${command.groupId.toLowerCase()}`);
  return createHash("sha256").update(JSON.stringify(meaning)).digest();
}
