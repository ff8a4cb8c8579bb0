// Records calls in the audit log, as their rpc states. The innermost interceptor: what is refused before did nothing.

import type { AuditEntry } from "../../domain/audit/record.ts";
import type { AuditTrail } from "../../domain/audit/trail.ts";
import { operatorClientId, parseUuid } from "../../domain/identifiers.ts";
import { outcomeOf, toRefusal } from "../../kernel/errors/refusal.ts";
import {
  type AuditSubject,
  auditSubjectsKey,
  type Handler,
  type Interceptor,
  type PipelineCall,
  slotOf,
} from "../call.ts";

/**
 * Keeps responses back until their calls are recorded, and refuses with `unavailable` if they cannot be. A change is
 * recorded before it begins as well. A call that fails is recorded too, but its error waits for nothing.
 */
export function audit(trail: Pick<AuditTrail, "record">): Interceptor {
  return {
    name: "audit",
    enter(call) {
      const { auditRule: rule } = call;
      if (rule === undefined) return;
      const known = auditSubjectOf(call.message);
      call.handler = recorded(trail, call, rule.action, known);
      if (rule.auditBefore) return trail.record(entriesOf(call, rule.action, "begun", [known]));
    },
  };
}

function recorded(trail: Pick<AuditTrail, "record">, call: PipelineCall, action: string, known: AuditSubject): Handler {
  const { handler } = call;
  return async (request, context) => {
    const auditSubjects: AuditSubject[] = [];
    const store = (outcome: string) => {
      const all =
        auditSubjects.length === 0 ? [known] : auditSubjects.map((auditSubject) => ({ ...known, ...auditSubject }));
      return trail.record(entriesOf(call, action, outcome, all));
    };
    let response: Record<string, unknown>;
    try {
      context.values.set(auditSubjectsKey, (auditSubject) => void auditSubjects.push(auditSubject));
      response = await handler(request, context);
    } catch (error) {
      // Nothing has left, so nothing has to wait; the error says more than a failure to record it.
      store(outcomeOf(toRefusal(error))).catch(() => undefined);
      throw error;
    }
    // The record takes a connection of its own, and the call needs none any more.
    slotOf(context).leave();
    await store("ok");
    return response;
  };
}

function entriesOf(
  { principal, origin }: PipelineCall,
  action: string,
  outcome: string,
  auditSubjects: readonly AuditSubject[],
): AuditEntry[] {
  const isOperator = principal?.clientId === operatorClientId;
  return auditSubjects.map(({ partnerId, sessionId, targetId }) => ({
    partnerId: partnerId ?? principal?.partnerId ?? null,
    clientId: isOperator ? null : (principal?.clientId ?? null),
    action,
    sessionId: sessionId ?? null,
    targetId: targetId ?? null,
    requestId: origin.requestId,
    outcome,
  }));
}

/** What a call is about, as far as its message names it. */
function auditSubjectOf(message: unknown): AuditSubject {
  const {
    sessionId,
    partnerId,
    clientId,
    endpointId,
    groupId,
    session: oneOf,
  } = message as Readonly<Record<string, unknown>>;
  const named = oneOf as { readonly case?: string; readonly value?: unknown } | undefined;
  return {
    sessionId: idIn(sessionId ?? (named?.case === "sessionId" ? named.value : undefined)),
    partnerId: idIn(partnerId),
    targetId: idIn(clientId ?? endpointId ?? groupId),
  };
}

function idIn(value: unknown): string | undefined {
  return typeof value === "string" ? parseUuid(value) : undefined;
}
