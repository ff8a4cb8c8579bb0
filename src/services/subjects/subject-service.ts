// SubjectService: messages in, use cases of the domain, messages out.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { GetChangeResponseSchema, SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import { addAuditSubject, deadlineOf, principalOf } from "../../pipeline/context-values.ts";
import type { ProductMessages } from "../../products/product.ts";
import { inTimeOf, type TestClockDeps } from "../sandbox/test-clock.ts";
import { type CompletedSession, getChange, type PersonChange } from "../sessions/change.ts";
import { getSessionQuality, type QualityDeps } from "../sessions/quality.ts";
import { toSubjectSessionMessage } from "../sessions/session-list-messages.ts";
import { listSubjectSessions, type SessionListDeps } from "../sessions/session-lists.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { eraseSubject, getLatestResults, type SubjectDeps } from "./subjects.ts";

/** The implementation of SubjectService. */
export function subjectService(
  deps: SubjectDeps & QualityDeps & SessionListDeps & TestClockDeps,
): ServiceImpl<typeof SubjectService> {
  const { messages } = deps.catalogue.product;
  return {
    async getLatestResults({ product, externalId, quality }, context) {
      const { partnerId } = principalOf(context);
      const outcome = await getLatestResults(deps, { partnerId, product, externalId }, deadlineOf(context));
      const { sessionId, completedAt, results } = outcome;
      addAuditSubject(context, { sessionId });
      return {
        externalId,
        sessionId,
        completedAt: toTimestamp(completedAt),
        results: results === null ? undefined : messages.results(results),
        ...(quality
          ? {
              quality: messages.quality(
                await getSessionQuality(deps, { partnerId, product, sessionId }, deadlineOf(context)),
              ),
            }
          : {}),
      };
    },

    async getChange({ product, externalId, from, to }, context) {
      const { partnerId } = principalOf(context);
      const change = await getChange(deps, { partnerId, product, externalId, from, to }, deadlineOf(context));
      for (const { session } of [change.from, change.to]) addAuditSubject(context, { sessionId: session.id });
      return toPersonChangeMessage(externalId, change, messages);
    },

    async listSubjectSessions({ product, externalId, pageSize, after }, context) {
      const { partnerId } = principalOf(context);
      const query = { partnerId, product, externalId, pageSize, after };
      const inTime = await inTimeOf(deps, partnerId, deadlineOf(context).signal);
      const { sessions, next } = await listSubjectSessions(inTime, query, deadlineOf(context));
      for (const { id, totals } of sessions) if (totals !== null) addAuditSubject(context, { sessionId: id });
      const now = inTime.clock();
      return { externalId, sessions: sessions.map((session) => toSubjectSessionMessage(session, now, messages)), next };
    },

    async eraseSubject({ product, externalId }, context) {
      const { partnerId, clientId } = principalOf(context);
      // An erasure covers every product; the one in the request has to exist like that of any other call.
      await deps.catalogue.published(product);
      return { sessionsErased: await eraseSubject(deps, { partnerId, clientId, externalId }, deadlineOf(context)) };
    },
  };
}

/** The change of a person, with the sessions that it is between. */
function toPersonChangeMessage(
  externalId: string,
  { from, to, comparison, reliable }: PersonChange,
  messages: ProductMessages,
): MessageInitShape<typeof GetChangeResponseSchema> {
  return {
    externalId,
    from: toReference(from),
    to: toReference(to),
    change: messages.change(comparison, reliable),
  };
}

function toReference({ session: { id, completedAt } }: CompletedSession) {
  return { sessionId: id, completedAt: toTimestamp(completedAt) };
}
