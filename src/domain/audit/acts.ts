// What operators do at the command line, in the audit log: changes before they begin and when they have ended, reads before
// they are shown.
import { Refusal } from "../../kernel/errors/refusal.ts";
import { type AuditedAction, actionName } from "../../kernel/rpc-options/audit-rules.ts";
import type { AuditEntry } from "./record.ts";
import type { AuditTrail } from "./trail.ts";

/** What is known of an act. */
export interface Act extends ActSubject {
  readonly action: AuditedAction;
}

type ActSubject = Partial<Pick<AuditEntry, "partnerId" | "sessionId" | "targetId">>;

/** In the place of a request's id. */
const requestId = "command-line";

/**
 * Does something that is recorded. Throws `unavailable` if it cannot be, and what the work throws.
 * @param resultOf what the result tells that was not known before
 */
export async function recordAct<T>(
  { trail }: { readonly trail: AuditTrail },
  { action, ...subject }: Act,
  work: () => Promise<T>,
  resultOf: (result: T) => ActSubject = () => ({}),
): Promise<T> {
  const nobody = { partnerId: null, targetId: null, clientId: null, sessionId: null };
  const about = { ...nobody, action: actionName(action), requestId, ...subject };
  await trail.record([{ ...about, outcome: "begun" }]);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const outcome = error instanceof Refusal ? error.code : "internal";
    // What went wrong says more than that it is not recorded.
    await trail.record([{ ...about, outcome }]).catch(() => undefined);
    throw error;
  }
  await trail.record([{ ...about, ...resultOf(result), outcome: "ok" }]);
  return result;
}

/** Records that an operator is about to be shown sessions. Throws `unavailable` if it cannot be. */
export async function recordRead(
  { trail }: { readonly trail: AuditTrail },
  { action, partnerId }: { readonly action: AuditedAction; readonly partnerId: string },
  sessionIds: readonly string[],
): Promise<void> {
  const about = { partnerId, action: actionName(action), clientId: null, targetId: null, requestId, outcome: "ok" };
  await trail.record(sessionIds.map((sessionId) => ({ ...about, sessionId })));
}
