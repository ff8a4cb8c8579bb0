// Records calls in the audit log, as their rpc declares. Wraps the implementation only: a call refused earlier did nothing.
import type { AuditEntry, AuditTrail } from "../domain/audit/trail.ts";
import { operatorClientId } from "../domain/identifiers.ts";
import { toOutcome, toRefusal } from "../kernel/errors/refusal.ts";
import { parseUuid } from "../kernel/ids.ts";
import { type AuditRule, readAuditRule } from "../kernel/rpc-options.ts";
import type { AuditSubject, Handlers, RpcHandler } from "./call.ts";

type Trail = Pick<AuditTrail, "record">;

/** The same functions; each response waits until its call is recorded. A change is also recorded before it begins. */
export function runAudited(handlers: Handlers, trail: Trail): Handlers {
  const all = [...handlers].map(([method, handler]) => {
    const rule = readAuditRule(method);
    return [method, rule === undefined ? handler : runRecorded(trail, rule, handler)] as const;
  });
  return new Map(all);
}

function runRecorded(trail: Trail, { action, recordBefore }: AuditRule, handler: RpcHandler): RpcHandler {
  return async (request, call) => {
    const { clientId, partnerId: ownPartnerId } = call.principal ?? {};
    const client = clientId === undefined || clientId === operatorClientId ? null : clientId;
    const { requestId } = call.origin;
    const store = (outcome: string, answer = {}) => {
      const namedSubject = readAuditSubject({ ...(request as object), ...answer });
      const subjects = call.auditSubjects.length === 0 ? [namedSubject] : call.auditSubjects;
      const entries = subjects.map((each): AuditEntry => {
        const { partnerId = ownPartnerId ?? null, sessionId = null, targetId = null } = { ...namedSubject, ...each };
        return { partnerId, clientId: client, action, sessionId, targetId, requestId, outcome };
      });
      return trail.record(entries);
    };
    if (recordBefore) {
      await store("begun");
      call.signal.throwIfAborted();
    }
    let response: Record<string, unknown>;
    try {
      response = await handler(request, call);
    } catch (error) {
      // Nothing was disclosed, so the error need not wait; it also says more than a failure to record it.
      store(toOutcome(toRefusal(error))).catch(() => undefined);
      throw error;
    }
    // Recording needs another connection; the call is done with its own.
    call.releaseSlot();
    await store("ok", response);
    return response;
  };
}

/** The resources that the messages of a call name. */
function readAuditSubject(message: unknown): AuditSubject {
  const { sessionId, partnerId, clientId, endpointId, groupId, session } = message as Readonly<Record<string, unknown>>;
  const choice = session as { readonly case?: string; readonly value?: unknown } | undefined;
  return {
    sessionId: parseId(sessionId ?? (choice?.case === "sessionId" ? choice.value : undefined)),
    partnerId: parseId(partnerId),
    targetId: parseId(clientId ?? endpointId ?? groupId),
  };
}

function parseId(value: unknown): string | undefined {
  return typeof value === "string" ? parseUuid(value) : undefined;
}
