// REST operations 1 to 5: sessions.
import { hash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { QuestionType } from "../../gen/assessment/v1/assessment_pb.ts";
import { ExplanationSchema } from "../../gen/assessment/v1/explanation_pb.ts";
import { type Answer, SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { messageToJson } from "../../http/message-json.ts";
import { Problem } from "../../http/problem.ts";
import { jsonRepresentation, sendRepresentation, sendTagged } from "../../http/send.ts";
import { toResults } from "../../values-bridge/json/results.ts";
import type { CoreClient } from "../core/client.ts";
import type { AssessmentJsonCache } from "../json/assessment.ts";
import { modes, statuses, toDateTime, toSubject } from "../json/sessions.ts";
import { operations } from "../openapi/operations.ts";
import { type AnswerItem, CompleteRequest, CreateSessionRequest, SubmitAnswersRequest } from "../schemas/requests.ts";
import { BodyReader } from "./body.ts";
import { productOf, sessionIdOf } from "./path-params.ts";
import { addRoute } from "./route.ts";

const createBody = new BodyReader(CreateSessionRequest);
const answersBody = new BodyReader(SubmitAnswersRequest);
const completeBody = new BodyReader(CompleteRequest);

const sessionModes = { headless: SessionMode.HEADLESS, hosted: SessionMode.HOSTED } as const;
const maxInt32 = 2 ** 31 - 1;

export interface SessionRoutesDeps {
  readonly client: CoreClient;
  readonly assessments: AssessmentJsonCache;
}

/** Adds the routes of sessions. */
export function addSessionRoutes(app: FastifyInstance, { client, assessments }: SessionRoutesDeps): void {
  addRoute(app, client, operations.createSession, async (request, reply) => {
    const body = createBody.read(request);
    const created = await client.call(operations.createSession.rpc, request, {
      product: productOf(request),
      ...toCreateMessage(body),
      ...idempotencyKeyOf(request),
    });
    const { sessionId, subject, variant } = created;
    reply.code(201).header("location", `/v1/${productOf(request)}/sessions/${sessionId}`);
    if (created.replayed) reply.header("idempotent-replayed", "true");
    const mode = created.mode === SessionMode.HOSTED ? modes[SessionMode.HOSTED] : modes[SessionMode.HEADLESS];
    const head = { sessionId, mode, subject: subject && toSubject(subject) };
    if (variant.case === "hosted") {
      const { hostedUrl, expiresAt } = variant.value;
      return { ...head, hostedUrl, expiresAt: toDateTime(expiresAt) };
    }
    if (variant.value?.assessment === undefined) throw new Problem("internal", "The service made a mistake.");
    return sendRepresentation(reply, assessments.of(variant.value.assessment).within(head));
  });

  addRoute(app, client, operations.getSession, async (request) => {
    const { session } = await client.call(operations.getSession.rpc, request, addressOf(request));
    if (session === undefined) throw new Problem("internal", "The service made a mistake.");
    return {
      sessionId: session.sessionId,
      product: session.product,
      status: statuses[session.status as keyof typeof statuses],
      createdAt: toDateTime(session.createdAt),
      completedAt: toDateTime(session.completedAt),
    };
  });

  addRoute(app, client, operations.recordAnswers, async (request) => {
    const { answers } = answersBody.read(request);
    const message = { ...addressOf(request), answers: answers.map(toAnswerMessage) };
    const { sessionId, recorded } = await client.call(operations.recordAnswers.rpc, request, message);
    return { sessionId, recorded };
  });

  addRoute(app, client, operations.completeSession, async (request) => {
    const { answers = [] } = request.body === undefined ? {} : completeBody.read(request);
    const message = { ...addressOf(request), answers: answers.map(toAnswerMessage) };
    const completed = await client.call(operations.completeSession.rpc, request, message);
    const { sessionId, status, results } = completed;
    return { sessionId, status: statuses[status as keyof typeof statuses], results: toResults(results) };
  });

  addRoute(app, client, operations.getSessionResults, async (request, reply) => {
    const message = { ...addressOf(request), explain: explainOf(request) };
    const { sessionId, results, explanation } = await client.call(operations.getSessionResults.rpc, request, message);
    const json = JSON.stringify({
      sessionId,
      results: toResults(results),
      ...(explanation === undefined ? {} : { explanation: messageToJson(ExplanationSchema, explanation) }),
    });
    return sendTagged(reply, jsonRepresentation(json), hash("sha256", json, "base64url"));
  });
}

function toCreateMessage(body: Static<typeof CreateSessionRequest>) {
  const { subject, mode, redirectUrl, metadata, locale } = body;
  return {
    ...(subject?.externalId === undefined ? {} : { subject: { externalId: subject.externalId } }),
    ...(mode === undefined ? {} : { mode: sessionModes[mode] }),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(metadata === undefined ? {} : { metadata: metadata as Record<string, never> }),
    ...(locale === undefined ? {} : { locale }),
  };
}

function explainOf(request: FastifyRequest): boolean {
  const { explain } = request.query as { explain?: string | string[] };
  if (explain === undefined || explain === "false") return false;
  if (explain === "true") return true;
  const fault = { pointer: "#", code: "unknown_value", detail: "Must be one of: true, false." };
  throw new Problem("invalid_request", "The query parameter `explain` is not a truth value.", { faults: [fault] });
}

/** `k` and `"k"` are one key. */
function idempotencyKeyOf(request: FastifyRequest): { idempotencyKey?: string } {
  const value = request.headers["idempotency-key"];
  if (value === undefined) return {};
  const text = Array.isArray(value) ? value.join(", ") : value;
  return { idempotencyKey: /^"(.*)"$/.exec(text)?.[1] ?? text };
}

/** Written out with its type names: creating 304 messages through their schemas took as long as parsing the body. */
function toAnswerMessage({ questionId, response }: Static<typeof AnswerItem>): Answer {
  return {
    $typeName: "assessment.v1.Answer",
    // A number that no int32 can hold names no question, and 0 does neither.
    questionId: Math.abs(questionId) > maxInt32 ? 0 : questionId,
    response: {
      $typeName: "assessment.v1.AnswerResponse",
      type: response.type === "likert" ? QuestionType.LIKERT : QuestionType.UNSPECIFIED,
      value: response.value,
    },
  };
}

function addressOf(request: FastifyRequest) {
  return { product: productOf(request), sessionId: sessionIdOf(request) };
}
