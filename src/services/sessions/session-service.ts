// SessionService: a session from its creation to its results.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { toForm } from "../../domain/assessments/published-assessment.ts";
import { toSubject } from "../../domain/identifiers.ts";
import { computeProgress } from "../../domain/sessions/answers.ts";
import { computeState, type StoredSession } from "../../domain/sessions/session.ts";
import type { SessionService } from "../../gen/assessment/v1/session_service_pb.ts";
import { throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { CallDependencies } from "../dependencies.ts";
import { replaceSessionLinks } from "../hosted/session-links.ts";
import { createSession } from "./create-session.ts";
import { cancelSession, reopenSession } from "./lifecycle.ts";
import { explainResults, getQuality, nameResults } from "./results.ts";
import { listSessions } from "./session-lists.ts";
import { completeSession, getSession, recordAnswers, requireResults, toSessionRef } from "./sessions.ts";

/** The implementation of SessionService. */
export function createSessionService(deps: CallDependencies): ServiceImpl<typeof SessionService> {
  const { messages } = deps.catalogue.product;
  return {
    createSession: (request, call) => createSession(deps, request, call),

    async getSession(request, call) {
      const { session, assessment } = await getSession(deps, toSessionRef(request, call), call);
      const { partnerId, externalId, mode } = session;
      const progress = request.includeProgress
        ? { ...computeProgress(session, assessment), subject: toSubject(partnerId, externalId), mode }
        : null;
      return { session: { ...describeSession(session, call.now()), progress } };
    },

    async cancelSession(request, call) {
      const session = await cancelSession(deps, toSessionRef(request, call), request, call);
      return { session: describeSession(session, call.now()) };
    },

    async reopenSession(request, call) {
      const expiresAt = request.expiresAt === undefined ? null : timestampDate(request.expiresAt);
      const session = await reopenSession(deps, toSessionRef(request, call), expiresAt, call);
      return { session: describeSession(session, call.now()) };
    },

    createSessionLink(request, call) {
      const end = request.linkExpiresAt && timestampDate(request.linkExpiresAt);
      return replaceSessionLinks(deps, toSessionRef(request, call), end, call);
    },

    listSessions: (request, call) => listSessions(deps, request, call),

    async recordAnswers(request, call) {
      const ref = toSessionRef(request, call);
      const recordedCount = await recordAnswers(deps, ref, request.answers, call);
      return { sessionId: ref.sessionId, recorded: recordedCount };
    },

    async completeSession(request, call) {
      const ref = toSessionRef(request, call);
      const results = await completeSession(deps, ref, request, call);
      const { sessionId } = ref;
      return {
        sessionId,
        status: "completed",
        results: results && messages.toResults(results),
      };
    },

    async getSessionResults(request, call) {
      throwIfInvalid(findLocaleViolations(request.locale));
      const record = await getSession(deps, toSessionRef(request, call), call);
      const results = requireResults(deps, record.session);
      const quality = request.quality ? await getQuality(deps, record, call) : undefined;
      return {
        sessionId: record.session.id,
        results: messages.toResults(results),
        explanation: request.explain ? messages.toExplanation(explainResults(deps, record).explanation) : null,
        quality: quality && messages.toQuality(quality),
        names: request.includeNames ? nameResults(deps, results, record, request.locale) : null,
      };
    },
  };
}

/** A session as its partner sees it. @param now by the clock of the partner's sessions, in milliseconds since 1970 */
function describeSession(session: StoredSession, now: number) {
  const form = toForm(session.assessmentId) === "short" ? "short" : null;
  return { ...session, sessionId: session.id, form, status: computeState(session, now) };
}
