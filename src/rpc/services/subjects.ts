// SubjectService: messages in, use cases of the domain, messages out.
import { type CompletedSession, getChange } from "../../domain/sessions/change.ts";
import { getSessionQuality, type QualityDeps } from "../../domain/sessions/quality.ts";
import { eraseSubject, getLatestResults, type SubjectDeps } from "../../domain/sessions/subjects.ts";
import { SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import { toChangeMessage } from "../../values-bridge/messages/change.ts";
import { toQualityMessage } from "../../values-bridge/messages/quality.ts";
import { toResultsMessage } from "../../values-bridge/messages/results.ts";
import { toTimestamp } from "../messages/sessions.ts";
import { type Handlers, implement, principalOf } from "../pipeline/implementation.ts";

/** The implementation of SubjectService. */
export function subjectService(deps: SubjectDeps & QualityDeps): Handlers {
  return implement(SubjectService, {
    async getLatestResults({ product, externalId, quality }, call) {
      const { partnerId } = principalOf(call);
      const outcome = await getLatestResults(deps, { partnerId, product, externalId }, call.deadline);
      const { sessionId, completedAt, results } = outcome;
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
      return {
        externalId,
        from: toReference(change.from),
        to: toReference(change.to),
        change: toChangeMessage(change.comparison, change.reliable),
      };
    },

    async eraseSubject({ product, externalId }, call) {
      const { partnerId, clientId } = principalOf(call);
      // An erasure covers every product; the one in the request has to exist like that of any other call.
      await deps.catalogue.published(product);
      return { sessionsErased: await eraseSubject(deps, { partnerId, clientId, externalId }, call.deadline) };
    },
  });
}

function toReference({ session: { id, completedAt } }: CompletedSession) {
  return { sessionId: id, completedAt: toTimestamp(completedAt) };
}
