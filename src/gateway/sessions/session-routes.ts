// The routes of sessions.
import { hash } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { QuestionType } from "../../gen/assessment/v1/assessment_pb.ts";
import { ExplanationSchema } from "../../gen/assessment/v1/explanation_pb.ts";
import {
  type Answer,
  PersonAccess,
  SessionMode,
  SessionModeSchema,
  SessionStatusSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { invalidRequest, Refusal } from "../../kernel/errors/refusal.ts";
import { isDeeperThan, sessionRequestFaults } from "../../kernel/requests/session-request.ts";
import { toQuality } from "../../products/values-bridge/json/quality.ts";
import { toResults } from "../../products/values-bridge/json/results.ts";
import { basePath } from "../../transport/http/base-path.ts";
import { tooDeep } from "../../transport/http/bodies/json-body.ts";
import { enumWord, messageToJson } from "../../transport/http/bodies/message-json.ts";
import { jsonRepresentation, sendRepresentation, sendTagged } from "../../transport/http/send.ts";
import type { AssessmentJsonCache } from "../assessments/assessment-json.ts";
import { operations } from "../openapi/operations.ts";
import { BodyReader, timeIn } from "../shared/body.ts";
import type { CoreClient } from "../shared/client.ts";
import { productOf, sessionOf } from "../shared/path-params.ts";
import { truthValueOf } from "../shared/query.ts";
import { addRoute } from "../shared/route.ts";
import { type AnswerItem, CompleteRequest, CreateSessionRequest, SubmitAnswersRequest } from "./request-schemas.ts";
import { toDateTime, toStatus, toSubject } from "./session-json.ts";

const createBody = new BodyReader(CreateSessionRequest);
const answersBody = new BodyReader(SubmitAnswersRequest);
const completeBody = new BodyReader(CompleteRequest);

const sessionModes = { headless: SessionMode.HEADLESS, hosted: SessionMode.HOSTED } as const;
const likeExternalId = /^(ext|external)?[_-]?(user|subject|person|customer)?[_-]?id$/i;
const personAccesses = { none: PersonAccess.NONE, after_completion: PersonAccess.AFTER_COMPLETION } as const;
const maxInt32 = 2 ** 31 - 1;
/** A subject is at level 2 of 16. */
const maxSubjectDepth = 15;

export interface SessionRoutesDeps {
  readonly client: CoreClient;
  readonly assessments: AssessmentJsonCache;
  readonly publicUrl: () => string;
}

/** Adds the routes of sessions. */
export function addSessionRoutes(app: FastifyInstance, { client, assessments, publicUrl }: SessionRoutesDeps): void {
  const { budget } = client;

  addRoute(app, operations.createSession, async (request, reply) => {
    const created = await client.call(operations.createSession.rpc, request, reply, async (limits) => {
      const product = productOf(request);
      const body = await createBody.read(request, limits, budget);
      const unused = misspelledIdOf(body.subject);
      if (unused !== undefined) reply.header("warning-unused", `/subject/${unused}`);
      return { product, ...toCreateMessage(body, idempotencyKeyOf(request)) };
    });
    const { sessionId, subject, variant } = created;
    reply.code(201).header("location", `${basePath(publicUrl())}/v1/${productOf(request)}/sessions/${sessionId}`);
    if (created.replayed) reply.header("idempotent-replayed", "true");
    const head = { sessionId, mode: enumWord(SessionModeSchema, created.mode), subject: subject && toSubject(subject) };
    if (variant.case === "hosted") {
      const { hostedUrl, expiresAt } = variant.value;
      return { ...head, hostedUrl, expiresAt: toDateTime(expiresAt) };
    }
    if (variant.value?.assessment === undefined) throw new Refusal("internal", "The service made a mistake.");
    return sendRepresentation(reply, assessments.of(variant.value.assessment).within(head));
  });

  addRoute(app, operations.getSession, async (request, reply) => {
    const { session } = await client.call(operations.getSession.rpc, request, reply, () => sessionOf(request));
    return toStatus(session);
  });

  addRoute(app, operations.recordAnswers, async (request, reply) => {
    const { sessionId, recorded } = await client.call(operations.recordAnswers.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      const { answers } = await answersBody.read(request, limits, budget);
      return { ...address, answers: answers.map(toAnswerMessage) };
    });
    return { sessionId, recorded };
  });

  addRoute(app, operations.completeSession, async (request, reply) => {
    const completed = await client.call(operations.completeSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      const { answers = [] } = (await completeBody.readOptional(request, limits, budget)) ?? {};
      return { ...address, answers: answers.map(toAnswerMessage) };
    });
    const { sessionId, status, results } = completed;
    return { sessionId, status: enumWord(SessionStatusSchema, status), results: toResults(results) };
  });

  addRoute(app, operations.getSessionResults, async (request, reply) => {
    const { rpc } = operations.getSessionResults;
    const found = await client.call(rpc, request, reply, () => ({
      ...sessionOf(request),
      explain: truthValueOf(request, "explain"),
      quality: truthValueOf(request, "quality"),
    }));
    const { sessionId, results, explanation, quality } = found;
    const json = JSON.stringify({
      sessionId,
      results: toResults(results),
      ...(explanation === undefined ? {} : { explanation: messageToJson(ExplanationSchema, explanation) }),
      ...(quality === undefined ? {} : { quality: toQuality(quality) }),
    });
    return sendTagged(reply, jsonRepresentation(json), hash("sha256", json, "base64url"));
  });
}

/** A member that was meant to be `externalId`, if so: other members are allowed, so the session is an anonymous one. */
function misspelledIdOf(subject: Static<typeof CreateSessionRequest>["subject"]): string | undefined {
  if (subject == null || subject.externalId !== undefined) return undefined;
  return Object.keys(subject).find((name) => likeExternalId.test(name));
}

/** The command in a body. Whatever the message would lose or change on its way to a core elsewhere is refused here. */
function toCreateMessage(body: Static<typeof CreateSessionRequest>, idempotencyKey: string | undefined) {
  const { subject, mode, redirectUrl, metadata, locale, personAccess, expiresAt } = body;
  if (isDeeperThan(subject, maxSubjectDepth)) throw tooDeep(["subject"]);
  const externalId = subject?.externalId;
  const faults = sessionRequestFaults({
    externalId,
    mode: mode ?? "headless",
    redirectUrl,
    metadata,
    locale,
    personAccess,
    idempotencyKey,
  });
  const end = expiresAt === undefined ? undefined : timeIn(expiresAt, "expiresAt");
  if (faults.length > 0) throw invalidRequest(faults);
  return {
    ...(externalId === undefined ? {} : { subject: { externalId } }),
    ...(mode === undefined ? {} : { mode: sessionModes[mode] }),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(metadata === undefined ? {} : { metadata: metadata as Record<string, never> }),
    ...(locale === undefined ? {} : { locale }),
    ...(personAccess === undefined ? {} : { personAccess: personAccesses[personAccess] }),
    ...(end === undefined ? {} : { expiresAt: timestampFromDate(end) }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

/** `k` and `"k"` are one key. */
function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const value = request.headers["idempotency-key"];
  if (value === undefined) return undefined;
  const text = Array.isArray(value) ? value.join(", ") : value;
  return /^"(.*)"$/.exec(text)?.[1] ?? text;
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
