// SessionService: a session from its creation to its results.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type CreateSessionRequest,
  PersonAccess,
  SessionMode,
  type SessionService,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import { deadlineOf, principalOf } from "../../pipeline/call.ts";
import type { AssessmentMessages } from "../assessments/assessment-service.ts";
import { replaceSessionLinks } from "../hosted/session-links.ts";
import { inTimeOf, type TestClockDeps } from "../sandbox/test-clock.ts";
import { type CreateSessionCommand, type CreateSessionDeps, createSession } from "./create-session.ts";
import { cancelSession, reopenSession } from "./lifecycle.ts";
import { getExplainedResults, getQualityOf, type QualityDeps } from "./results.ts";
import { listSessions, type SessionListDeps, toSessionFilter, toSummaryMessage } from "./session-lists.ts";
import {
  sessionStatuses,
  toAnswers,
  toOwnedProgressMessage,
  toSessionMessage,
  toTimestamp,
} from "./session-messages.ts";
import { completeSession, getSession, getSessionResults, recordAnswers, type SessionDeps } from "./sessions.ts";

export interface SessionServiceDeps
  extends SessionDeps,
    CreateSessionDeps,
    QualityDeps,
    SessionListDeps,
    TestClockDeps {
  readonly messages: AssessmentMessages;
  /** Address of the hosted page that a link token opens. */
  readonly hostedUrl: (linkToken: string) => string;
  /** Throws `hosted_off` where nobody knows the address of the pages. */
  readonly requirePages: () => void;
}

/** An unspecified mode is a headless one. */
const modes = byWord(SessionMode);

/** The implementation of SessionService. */
export function sessionService(deps: SessionServiceDeps): ServiceImpl<typeof SessionService> {
  const product = deps.catalogue.product.messages;
  const timed = (context: HandlerContext) => inTimeOf(deps, principalOf(context).partnerId, deadlineOf(context).signal);
  return {
    async createSession(request, context) {
      if (request.mode === SessionMode.HOSTED) deps.requirePages();
      const created = await createSession(
        await timed(context),
        principalOf(context).partnerId,
        toCommand(request),
        deadlineOf(context),
      );
      const { sessionId, subject, assessment, hosted, replayed } = created;
      const variant =
        hosted === null
          ? { case: "headless" as const, value: deps.messages.headlessSession(assessment) }
          : {
              case: "hosted" as const,
              value: { hostedUrl: deps.hostedUrl(hosted.linkToken), expiresAt: toTimestamp(hosted.expiresAt) },
            };
      return { sessionId, mode: modes[created.mode], subject, replayed, variant };
    },

    async getSession(request, context) {
      const { session, assessment } = await getSession(deps, addressOf(request, context), deadlineOf(context));
      const now = (await timed(context)).clock();
      const progress = request.includeProgress ? toOwnedProgressMessage(session, assessment) : undefined;
      return { session: toSessionMessage(request.product, session, now, progress) };
    },

    async cancelSession(request, context) {
      const inTime = await timed(context);
      const session = await cancelSession(inTime, addressOf(request, context), request, deadlineOf(context));
      return { session: toSessionMessage(request.product, session, inTime.clock()) };
    },

    async reopenSession(request, context) {
      const expiresAt = request.expiresAt === undefined ? null : timestampDate(request.expiresAt);
      const inTime = await timed(context);
      const session = await reopenSession(inTime, addressOf(request, context), expiresAt, deadlineOf(context));
      return { session: toSessionMessage(request.product, session, inTime.clock()) };
    },

    async createSessionLink(request, context) {
      deps.requirePages();
      const end = request.linkExpiresAt && timestampDate(request.linkExpiresAt);
      const inTime = await timed(context);
      const access = await replaceSessionLinks(inTime, addressOf(request, context), end, deadlineOf(context));
      return { hostedUrl: deps.hostedUrl(access.linkToken), expiresAt: toTimestamp(access.expiresAt) };
    },

    async listSessions(request, context) {
      const { partnerId } = principalOf(context);
      const { product, pageSize, after } = request;
      const query = { partnerId, product, pageSize, after, ...toSessionFilter(request) };
      const inTime = await timed(context);
      const { sessions, next } = await listSessions(inTime, query, deadlineOf(context));
      const now = inTime.clock();
      return { sessions: sessions.map((session) => toSummaryMessage(partnerId, product, session, now)), next };
    },

    async recordAnswers(request, context) {
      const address = addressOf(request, context);
      const recorded = await recordAnswers(
        await timed(context),
        address,
        toAnswers(request.answers),
        deadlineOf(context),
      );
      return { sessionId: address.sessionId, recorded };
    },

    async completeSession(request, context) {
      const address = addressOf(request, context);
      const command = { answers: toAnswers(request.answers), requireAnswered: request.requireAnswered };
      const results = await completeSession(await timed(context), address, command, deadlineOf(context));
      const { sessionId } = address;
      const status = sessionStatuses.completed;
      return { sessionId, status, results: results === null ? undefined : product.results(results) };
    },

    async getSessionResults(request, context) {
      const address = addressOf(request, context);
      const { sessionId } = address;
      const deadline = deadlineOf(context);
      const explained = request.explain ? await getExplainedResults(deps, address, deadline) : undefined;
      const results = explained?.results ?? (await getSessionResults(deps, address, deadline));
      // One reading of the session for both.
      const found = explained ?? (request.quality ? await getSession(deps, address, deadline) : undefined);
      const quality = found && request.quality ? await getQualityOf(deps, found, deadline) : undefined;
      return {
        sessionId,
        results: product.results(results),
        explanation: explained === undefined ? undefined : product.explanation(explained.explanation),
        quality: quality === undefined ? undefined : product.quality(quality),
      };
    },
  };
}

function toCommand(request: CreateSessionRequest): CreateSessionCommand {
  return {
    product: request.product,
    externalId: request.subject?.externalId,
    mode: request.mode === SessionMode.HOSTED ? "hosted" : "headless",
    redirectUrl: request.redirectUrl,
    metadata: request.metadata,
    locale: request.locale,
    personAccess: request.personAccess === PersonAccess.AFTER_COMPLETION ? "after_completion" : "none",
    expiresAt: request.expiresAt === undefined ? undefined : timestampDate(request.expiresAt),
    groupId: request.groupId,
    linkExpiresAt: request.linkExpiresAt === undefined ? undefined : timestampDate(request.linkExpiresAt),
    idempotencyKey: request.idempotencyKey,
  };
}

function addressOf({ product, sessionId }: { product: string; sessionId: string }, context: HandlerContext) {
  return { partnerId: principalOf(context).partnerId, product, sessionId: sessionId.toLowerCase() };
}
