// What only callers may do that reach test data and nothing else.
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import type { StoredSession } from "../sessions/session.ts";

/** Throws `permission_denied` unless the partner is a test twin. */
export function requireTestTwin(partnerId: string): void {
  if (isTestTwin(partnerId)) return;
  throw new Refusal("permission_denied", "Only credentials of a test twin allow this.");
}

/** External id of that person at every test twin. */
export const unscoredPerson = "test-unscored";

/** Whether the session is completed without being scored, as if scoring had failed. */
export function isLeftUnscored({ partnerId, externalId }: Pick<StoredSession, "partnerId" | "externalId">): boolean {
  return isTestTwin(partnerId) && externalId === unscoredPerson;
}
