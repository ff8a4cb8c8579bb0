// SessionService: a session from its creation to its results.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { subjectOf } from "../../domain/identifiers.ts";
import { progressOf } from "../../domain/sessions/progress.ts";
import { type SessionService, SessionStatus } from "../../gen/assessment/v1/session_service_pb.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import { localeViolations } from "../../kernel/formats.ts";
import { deadlineOf, type PipelineCall, principalOf } from "../../pipeline/call.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { replaceSessionLinks } from "../hosted/session-links.ts";
import { type TestClockDeps, withSessionClock } from "../sandbox/test-clock.ts";
import { type CreateSessionDeps, createSession } from "./create-session.ts";
import { cancelSession, reopenSession } from "./lifecycle.ts";
import { explain, getQualityOf, namesOf, type QualityDeps } from "./results.ts";
import { listSessions, type SessionListDeps } from "./session-lists.ts";
import { toSessionMessage } from "./session-messages.ts";
import { completeSession, getSession, recordAnswers, resultsOf, type SessionDeps } from "./sessions.ts";

/** The implementation of SessionService. */
export function sessionService(
  deps: SessionDeps & CreateSessionDeps & QualityDeps & SessionListDeps & TestClockDeps,
): ServiceImpl<typeof SessionService> {
  const product = deps.catalogue.product.messages;
  const timed = (context: PipelineCall) => withSessionClock(deps, principalOf(context).partnerId, deadlineOf(context));
  return {
    async createSession(request, context) {
      return createSession(await timed(context), principalOf(context).partnerId, request, deadlineOf(context));
    },

    async getSession(request, context) {
      const { session, assessment } = await getSession(deps, refOf(request, context), deadlineOf(context));
      const now = (await timed(context)).clock();
      const { partnerId, externalId, mode } = session;
      const progress = request.includeProgress
        ? { ...progressOf(session, assessment), subject: subjectOf(partnerId, externalId), mode }
        : undefined;
      return { session: toSessionMessage(session, now, { product: assessment.product, progress }) };
    },

    async cancelSession(request, context) {
      const inTime = await timed(context);
      const session = await cancelSession(inTime, refOf(request, context), request, deadlineOf(context));
      return { session: toSessionMessage(session, inTime.clock(), { product: request.product }) };
    },

    async reopenSession(request, context) {
      const expiresAt = request.expiresAt === undefined ? null : timestampDate(request.expiresAt);
      const inTime = await timed(context);
      const session = await reopenSession(inTime, refOf(request, context), expiresAt, deadlineOf(context));
      return { session: toSessionMessage(session, inTime.clock(), { product: request.product }) };
    },

    async createSessionLink(request, context) {
      const end = request.linkExpiresAt && timestampDate(request.linkExpiresAt);
      const { hostedUrl, expiresAt } = await replaceSessionLinks(
        await timed(context),
        refOf(request, context),
        end,
        deadlineOf(context),
      );
      return { hostedUrl, expiresAt };
    },

    async listSessions(request, context) {
      return listSessions(await timed(context), principalOf(context).partnerId, request, deadlineOf(context));
    },

    async recordAnswers(request, context) {
      const ref = refOf(request, context);
      const recorded = await recordAnswers(await timed(context), ref, request.answers, deadlineOf(context));
      return { sessionId: ref.sessionId, recorded };
    },

    async completeSession(request, context) {
      const ref = refOf(request, context);
      const results = await completeSession(await timed(context), ref, request, deadlineOf(context));
      const { sessionId } = ref;
      return {
        sessionId,
        status: SessionStatus.COMPLETED,
        results: results === null ? undefined : product.results(results),
      };
    },

    async getSessionResults(request, context) {
      refuseIfAny(localeViolations(request.locale));
      const deadline = deadlineOf(context);
      const record = await getSession(deps, refOf(request, context), deadline);
      const results = resultsOf(deps, record.session);
      const quality = request.quality ? await getQualityOf(deps, record, deadline) : undefined;
      return {
        sessionId: record.session.id,
        results: product.results(results),
        explanation: request.explain ? product.explanation(explain(deps, record).explanation) : undefined,
        quality: quality === undefined ? undefined : product.quality(quality),
        names: request.includeNames ? namesOf(deps, results, record, request.locale) : undefined,
      };
    },
  };
}

function refOf({ product, sessionId }: { product: string; sessionId: string }, context: PipelineCall) {
  return { partnerId: principalOf(context).partnerId, product, sessionId: sessionId.toLowerCase() };
}
