// SessionService: messages in, use cases of the domain, messages out.
import { invalidRequest } from "../../domain/errors.ts";
import { type CreateSessionDeps, createSession } from "../../domain/sessions/create-session.ts";
import { getExplainedResults } from "../../domain/sessions/explanations.ts";
import { stateOf } from "../../domain/sessions/session-state.ts";
import {
  completeSession,
  getSession,
  getSessionResults,
  recordAnswers,
  type SessionDeps,
} from "../../domain/sessions/sessions.ts";
import { type CreateSessionRequest, SessionMode, SessionService } from "../../gen/assessment/v1/session_service_pb.ts";
import { toExplanationMessage } from "../../values-bridge/messages/explanation.ts";
import { toResultsMessage } from "../../values-bridge/messages/results.ts";
import type { AssessmentMessages } from "../messages/assessment-cache.ts";
import { sessionStatuses, toAnswers, toTimestamp } from "../messages/sessions.ts";
import { type Call, type Handlers, implement, principalOf } from "../pipeline/implementation.ts";

export interface SessionServiceDeps extends SessionDeps, CreateSessionDeps {
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
const modes = { headless: SessionMode.HEADLESS, hosted: SessionMode.HOSTED } as const;

/** The implementation of SessionService. */
export function sessionService(deps: SessionServiceDeps): Handlers {
  return implement(SessionService, {
    async createSession(request, call) {
      const created = await createSession(deps, principalOf(call).partnerId, toCommand(request), call.deadline);
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
      const { id, createdAt, completedAt } = session;
      return {
        session: {
          sessionId: id,
          product: request.product,
          status: sessionStatuses[stateOf(session)],
          createdAt: toTimestamp(createdAt),
          ...(completedAt === null ? {} : { completedAt: toTimestamp(completedAt) }),
        },
      };
    },

    async recordAnswers(request, call) {
      const address = addressOf(request, call);
      const recorded = await recordAnswers(deps, address, toAnswers(request.answers), call.deadline);
      return { sessionId: address.sessionId, recorded };
    },

    async completeSession(request, call) {
      const address = addressOf(request, call);
      const results = await completeSession(deps, address, toAnswers(request.answers), call.deadline);
      const { sessionId } = address;
      const status = sessionStatuses.completed;
      return { sessionId, status, ...(results === null ? {} : { results: toResultsMessage(results) }) };
    },

    async getSessionResults(request, call) {
      const address = addressOf(request, call);
      const { sessionId } = address;
      if (request.explain) {
        const { results, explanation } = await getExplainedResults(deps, address, call.deadline);
        return { sessionId, results: toResultsMessage(results), explanation: toExplanationMessage(explanation) };
      }
      return { sessionId, results: toResultsMessage(await getSessionResults(deps, address, call.deadline)) };
    },
  });
}

function toCommand(request: CreateSessionRequest) {
  const mode = modeOfMessage[request.mode];
  if (mode === undefined) {
    const detail = "Must be one of: headless, hosted.";
    throw invalidRequest([{ path: ["mode"], code: "unknown_value", detail }]);
  }
  return {
    product: request.product,
    externalId: request.subject?.externalId,
    mode,
    redirectUrl: request.redirectUrl,
    metadata: request.metadata,
    locale: request.locale,
    idempotencyKey: request.idempotencyKey,
  };
}

function addressOf({ product, sessionId }: { product: string; sessionId: string }, call: Call) {
  return { partnerId: principalOf(call).partnerId, product, sessionId: sessionId.toLowerCase() };
}
