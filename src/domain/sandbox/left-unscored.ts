// A person whose results are long in coming, for trying out what is done until then.
import { isTestTwin } from "../../kernel/test-tenant.ts";
import type { StoredSession } from "../sessions/session-port.ts";

/** External id of that person at every test twin. */
export const unscoredPerson = "test-unscored";

/** Whether the session is completed without being scored, as if scoring had failed. */
export function isLeftUnscored({ partnerId, externalId }: Pick<StoredSession, "partnerId" | "externalId">): boolean {
  return isTestTwin(partnerId) && externalId === unscoredPerson;
}
