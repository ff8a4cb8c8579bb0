// Audit records for acts of operators that are not rpc calls: before the act begins and when it has ended.
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { OperatorAction } from "../../kernel/rpc-options.ts";
import type { AuditTrail } from "./trail.ts";

export interface Act {
  readonly action: OperatorAction;
  readonly partnerId?: string | null;
}

/** In place of a request's id. */
export const operatorRequestId = "command-line";

/** Runs an act that is recorded. Throws `unavailable` if it cannot be recorded, and what the act throws. */
export async function recordAct<T>(
  { trail }: { readonly trail: AuditTrail },
  { action, partnerId = null }: Act,
  work: () => Promise<T>,
): Promise<T> {
  const nobody = { targetId: null, clientId: null, sessionId: null };
  const about = { ...nobody, partnerId, action, requestId: operatorRequestId };
  await trail.record([{ ...about, outcome: "begun" }]);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const outcome = error instanceof Refusal ? error.code : "internal";
    // The error of the act is more useful than the failure to record it.
    await trail.record([{ ...about, outcome }]).catch(() => undefined);
    throw error;
  }
  await trail.record([{ ...about, outcome: "ok" }]);
  return result;
}
