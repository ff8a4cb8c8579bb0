// SubjectService: messages in, use cases of the domain, messages out.
import { inTimeOf, type TestClockDeps } from "../../domain/sandbox/test-clock.ts";
import { getChange } from "../../domain/sessions/results/change.ts";
import { getSessionQuality, type QualityDeps } from "../../domain/sessions/results/quality.ts";
import { listSubjectSessions, type SessionListDeps } from "../../domain/sessions/session-lists.ts";
import { eraseSubject, getLatestResults, type SubjectDeps } from "../../domain/subjects/subjects.ts";
import { SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import { type Handlers, implement, principalOf } from "../../pipeline/implementation.ts";
import { toQualityMessage } from "../../products/values-bridge/messages/quality.ts";
import { toResultsMessage } from "../../products/values-bridge/messages/results.ts";
import { toSubjectSessionMessage } from "../sessions/session-list-messages.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { toPersonChangeMessage } from "./change-messages.ts";

/** The implementation of SubjectService. */
export function subjectService(deps: SubjectDeps & QualityDeps & SessionListDeps & TestClockDeps): Handlers {
  return implement(SubjectService, {
    async getLatestResults({ product, externalId, quality }, call) {
      const { partnerId } = principalOf(call);
      const outcome = await getLatestResults(deps, { partnerId, product, externalId }, call.deadline);
      const { sessionId, completedAt, results } = outcome;
      call.concerns({ sessionId });
      return {
        externalId,
        sessionId,
        completedAt: toTimestamp(completedAt),
        ...(results === null ? {} : { results: toResultsMessage(results) }),
        ...(quality
          ? {
              quality: toQualityMessage(
                await getSessionQuality(deps, { partnerId, product, sessionId }, call.deadline),
              ),
            }
          : {}),
      };
    },

    async getChange({ product, externalId, from, to }, call) {
      const { partnerId } = principalOf(call);
      const change = await getChange(deps, { partnerId, product, externalId, from, to }, call.deadline);
      for (const { session } of [change.from, change.to]) call.concerns({ sessionId: session.id });
      return toPersonChangeMessage(externalId, change);
    },

    async listSubjectSessions({ product, externalId, pageSize, after }, call) {
      const { partnerId } = principalOf(call);
      const query = { partnerId, product, externalId, pageSize, after };
      const inTime = await inTimeOf(deps, partnerId, call.deadline.signal);
      const { sessions, next } = await listSubjectSessions(inTime, query, call.deadline);
      for (const { id, totals } of sessions) if (totals !== null) call.concerns({ sessionId: id });
      const now = inTime.clock();
      return { externalId, sessions: sessions.map((session) => toSubjectSessionMessage(session, now)), next };
    },

    async eraseSubject({ product, externalId }, call) {
      const { partnerId, clientId } = principalOf(call);
      // An erasure covers every product; the one in the request has to exist like that of any other call.
      await deps.catalogue.published(product);
      return { sessionsErased: await eraseSubject(deps, { partnerId, clientId, externalId }, call.deadline) };
    },
  });
}
