// What operators do that is no call of an rpc, in the audit log: before it begins and when it has ended.
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { OperatorAction } from "../../kernel/rpc-options.ts";
import type { AuditTrail } from "./trail.ts";

export interface Act {
  readonly action: OperatorAction;
  readonly partnerId?: string | null;
}

/** In the place of a request's id. */
export const operatorRequestId = "command-line";

/** Does something that is recorded. Throws `unavailable` if it cannot be, and what the work throws. */
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
    // What went wrong says more than that it is not recorded.
    await trail.record([{ ...about, outcome }]).catch(() => undefined);
    throw error;
  }
  await trail.record([{ ...about, outcome: "ok" }]);
  return result;
}
