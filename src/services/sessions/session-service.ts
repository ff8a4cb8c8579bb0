// SessionService: messages in, use cases of the domain, messages out.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { invalidRequest } from "../../domain/errors.ts";
import { inTimeOf, type TestClockDeps } from "../../domain/sandbox/test-clock.ts";
import { type CreateSessionDeps, createSession } from "../../domain/sessions/creation/create-session.ts";
import { cancelSession, reopenSession } from "../../domain/sessions/lifecycle.ts";
import { getExplainedResults } from "../../domain/sessions/results/explanations.ts";
import { getSessionQuality, type QualityDeps } from "../../domain/sessions/results/quality.ts";
import { listSessions, type SessionListDeps } from "../../domain/sessions/session-lists.ts";
import {
  completeSession,
  getSession,
  getSessionResults,
  recordAnswers,
  type SessionDeps,
} from "../../domain/sessions/sessions.ts";
import {
  type CreateSessionRequest,
  PersonAccess,
  SessionMode,
  SessionService,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { type Call, type Handlers, implement, principalOf } from "../../pipeline/implementation.ts";
import { toExplanationMessage } from "../../products/values-bridge/messages/explanation.ts";
import { toQualityMessage } from "../../products/values-bridge/messages/quality.ts";
import { toResultsMessage } from "../../products/values-bridge/messages/results.ts";
import type { AssessmentMessages } from "../assessments/assessment-cache.ts";
import { toSessionFilter, toSummaryMessage } from "./session-list-messages.ts";
import { sessionStatuses, toAnswers, toSessionMessage, toTimestamp } from "./session-messages.ts";

export interface SessionServiceDeps
  extends SessionDeps,
    CreateSessionDeps,
    QualityDeps,
    SessionListDeps,
    TestClockDeps {
  readonly messages: AssessmentMessages;
  /** Address of the hosted page that a link token opens. */
  readonly hostedUrl: (linkToken: string) => string;
}

/** An unspecified mode is a headless one. */
const modeOfMessage: Readonly<Record<number, "headless" | "hosted">> = {
  [SessionMode.UNSPECIFIED]: "headless",
  [SessionMode.HEADLESS]: "headless",
  [SessionMode.HOSTED]: "hosted",
};
const accessOfMessage: Readonly<Record<number, "none" | "after_completion">> = {
  [PersonAccess.UNSPECIFIED]: "none",
  [PersonAccess.NONE]: "none",
  [PersonAccess.AFTER_COMPLETION]: "after_completion",
};
const modes = { headless: SessionMode.HEADLESS, hosted: SessionMode.HOSTED } as const;

/** The implementation of SessionService. */
export function sessionService(deps: SessionServiceDeps): Handlers {
  const timed = (call: Call) => inTimeOf(deps, principalOf(call).partnerId, call.deadline.signal);
  return implement(SessionService, {
    async createSession(request, call) {
      const created = await createSession(
        await timed(call),
        principalOf(call).partnerId,
        toCommand(request),
        call.deadline,
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

    async getSession(request, call) {
      const { session } = await getSession(deps, addressOf(request, call), call.deadline);
      return { session: toSessionMessage(request.product, session, (await timed(call)).clock()) };
    },

    async cancelSession(request, call) {
      const inTime = await timed(call);
      const session = await cancelSession(inTime, addressOf(request, call), request, call.deadline);
      return { session: toSessionMessage(request.product, session, inTime.clock()) };
    },

    async reopenSession(request, call) {
      const expiresAt = request.expiresAt === undefined ? null : timestampDate(request.expiresAt);
      const inTime = await timed(call);
      const session = await reopenSession(inTime, addressOf(request, call), expiresAt, call.deadline);
      return { session: toSessionMessage(request.product, session, inTime.clock()) };
    },

    async listSessions(request, call) {
      const { partnerId } = principalOf(call);
      const { product, pageSize, after } = request;
      const query = { partnerId, product, pageSize, after, ...toSessionFilter(request) };
      const inTime = await timed(call);
      const { sessions, next } = await listSessions(inTime, query, call.deadline);
      const now = inTime.clock();
      return { sessions: sessions.map((session) => toSummaryMessage(partnerId, product, session, now)), next };
    },

    async recordAnswers(request, call) {
      const address = addressOf(request, call);
      const recorded = await recordAnswers(await timed(call), address, toAnswers(request.answers), call.deadline);
      return { sessionId: address.sessionId, recorded };
    },

    async completeSession(request, call) {
      const address = addressOf(request, call);
      const results = await completeSession(await timed(call), address, toAnswers(request.answers), call.deadline);
      const { sessionId } = address;
      const status = sessionStatuses.completed;
      return { sessionId, status, ...(results === null ? {} : { results: toResultsMessage(results) }) };
    },

    async getSessionResults(request, call) {
      const address = addressOf(request, call);
      const { sessionId } = address;
      const { results, explanation } = request.explain
        ? await getExplainedResults(deps, address, call.deadline)
        : { results: await getSessionResults(deps, address, call.deadline), explanation: undefined };
      return {
        sessionId,
        results: toResultsMessage(results),
        ...(explanation === undefined ? {} : { explanation: toExplanationMessage(explanation) }),
        ...(request.quality
          ? { quality: toQualityMessage(await getSessionQuality(deps, address, call.deadline)) }
          : {}),
      };
    },
  });
}

function toCommand(request: CreateSessionRequest) {
  const mode = modeOfMessage[request.mode];
  if (mode === undefined) {
    const detail = "Must be one of: headless, hosted.";
    throw invalidRequest([{ path: ["mode"], code: "unknown_value", detail }]);
  }
  const personAccess = accessOfMessage[request.personAccess];
  if (personAccess === undefined) {
    const detail = "Must be one of: none, after_completion.";
    throw invalidRequest([{ path: ["personAccess"], code: "unknown_value", detail }]);
  }
  return {
    product: request.product,
    externalId: request.subject?.externalId,
    mode,
    redirectUrl: request.redirectUrl,
    metadata: request.metadata,
    locale: request.locale,
    personAccess,
    ...(request.expiresAt === undefined ? {} : { expiresAt: timestampDate(request.expiresAt) }),
    idempotencyKey: request.idempotencyKey,
  };
}

function addressOf({ product, sessionId }: { product: string; sessionId: string }, call: Call) {
  return { partnerId: principalOf(call).partnerId, product, sessionId: sessionId.toLowerCase() };
}
