// The routes of sessions.
import { hash } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FastifyInstance } from "fastify";
import {
  CancelSessionRequestSchema,
  CompleteSessionRequestSchema,
  CompleteSessionResponseSchema,
  CreateSessionLinkRequestSchema,
  CreateSessionLinkResponseSchema,
  CreateSessionRequestSchema,
  CreateSessionResponseSchema,
  GetSessionResultsResponseSchema,
  HostedSessionSchema,
  PersonAccess,
  RecordAnswersRequestSchema,
  RecordAnswersResponseSchema,
  ReopenSessionRequestSchema,
  SessionMode,
  SessionSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { pointerTo, type Violation } from "../../kernel/errors/violation.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { isDeeperThan, sessionRequestViolations } from "../../kernel/requests/session-request.ts";
import { basePath } from "../../transport/http/base-path.ts";
import { tooDeep } from "../../transport/http/bodies/json-body.ts";
import { jsonRepresentation, sendRepresentation, sendTagged } from "../../transport/http/send.ts";
import type { AssessmentJsonCache } from "../assessments/assessment-json.ts";
import { operations } from "../openapi/operations.ts";
import { BodyReader } from "../shared/body.ts";
import { type CoreClient, present } from "../shared/client.ts";
import { idempotencyKeyOf } from "../shared/idempotency-key.ts";
import { productOf, sessionOf } from "../shared/path-params.ts";
import { truthValueOf, wordOf } from "../shared/query.ts";
import { addRoute } from "../shared/route.ts";

const createBody = new BodyReader(CreateSessionRequestSchema);
const answersBody = new BodyReader(RecordAnswersRequestSchema);
const completeBody = new BodyReader(CompleteSessionRequestSchema);

const createdJson = toJson(CreateSessionResponseSchema);
const hostedJson = toJson(HostedSessionSchema);
const statusJson = toJson(SessionSchema);
const linkJson = toJson(CreateSessionLinkResponseSchema);
const recordedJson = toJson(RecordAnswersResponseSchema);
const completedJson = toJson(CompleteSessionResponseSchema);
const resultsJson = toJson(GetSessionResultsResponseSchema);

/** What a status can have besides. */
const included = ["progress"] as const;
/** Longer pointers are cut in the header. */
const maxPointerLength = 100;
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
      const body = await createBody.read(request, limits, budget, (json, unread) => {
        const { subject } = json as { subject?: unknown };
        if (isDeeperThan(subject, maxSubjectDepth)) throw tooDeep(["subject"]);
        if (unread.length > 0) reply.header("warning-unused", unusedHeader(unread));
      });
      return { ...toCreateMessage(body, idempotencyKeyOf(request)), product };
    });
    const { sessionId, variant } = created;
    reply.code(201).header("location", `${basePath(publicUrl())}/v1/${productOf(request)}/sessions/${sessionId}`);
    if (created.replayed) reply.header("idempotent-replayed", "true");
    const head = createdJson(created);
    if (variant.case === "hosted") return { ...head, ...hostedJson(variant.value) };
    return sendRepresentation(reply, assessments.of(present(variant.value?.assessment)).within(head));
  });

  addRoute(app, operations.getSession, async (request, reply) => {
    const { session } = await client.call(operations.getSession.rpc, request, reply, () => ({
      ...sessionOf(request),
      includeProgress: wordOf(request, "include", included) !== undefined,
    }));
    return statusJson(present(session));
  });

  addRoute(app, operations.recordAnswers, async (request, reply) => {
    const recorded = await client.call(operations.recordAnswers.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      return { ...(await answersBody.read(request, limits, budget)), ...address };
    });
    return recordedJson(recorded);
  });

  addRoute(app, operations.completeSession, async (request, reply) => {
    const completed = await client.call(operations.completeSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      return { ...(await completeBody.readOptional(request, limits, budget)), ...address };
    });
    return completedJson(completed);
  });

  addRoute(app, operations.getSessionResults, async (request, reply) => {
    const { rpc } = operations.getSessionResults;
    const found = await client.call(rpc, request, reply, () => ({
      ...sessionOf(request),
      explain: truthValueOf(request, "explain"),
      quality: truthValueOf(request, "quality"),
    }));
    const json = JSON.stringify(resultsJson(found));
    return sendTagged(reply, jsonRepresentation(json), hash("sha256", json, "base64url"));
  });
}

/** Pointers, encoded so that any name is ASCII without a comma; too long names are left to be guessed. */
function unusedHeader(paths: readonly Violation["path"][]): string {
  return paths.map((path) => pointerTo(path).slice(1, 1 + maxPointerLength)).join(", ");
}

type CreateMessage = MessageInitShape<typeof CreateSessionRequestSchema>;

/** The command of a body. Whatever the message would lose or change on its way to a core elsewhere is refused here. */
function toCreateMessage({ subject, ...body }: CreateMessage, idempotencyKey: string | undefined): CreateMessage {
  const { mode, redirectUrl, metadata, locale, personAccess } = body;
  const externalId = subject?.externalId;
  const violations = sessionRequestViolations({
    externalId,
    mode: mode === SessionMode.HOSTED ? "hosted" : "headless",
    redirectUrl,
    metadata,
    locale,
    personAccess: personAccess === PersonAccess.AFTER_COMPLETION ? "after_completion" : "none",
    idempotencyKey,
  });
  if (violations.length > 0) throw invalidRequest(violations);
  const named = externalId === undefined ? {} : { subject: { externalId } };
  return { ...body, ...named, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) } as CreateMessage;
}

const cancelBody = new BodyReader(CancelSessionRequestSchema);
const reopenBody = new BodyReader(ReopenSessionRequestSchema);
const linkBody = new BodyReader(CreateSessionLinkRequestSchema);

/** Adds the routes. */
export function addSessionLifecycleRoutes(app: FastifyInstance, client: CoreClient): void {
  const { cancelSession, reopenSession, createSessionLink } = operations;

  addRoute(app, cancelSession, async (request, reply) => {
    const { session } = await client.call(cancelSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      return { ...(await cancelBody.readOptional(request, limits, client.budget)), ...address };
    });
    return statusJson(present(session));
  });

  addRoute(app, reopenSession, async (request, reply) => {
    const { session } = await client.call(reopenSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      return { ...(await reopenBody.readOptional(request, limits, client.budget)), ...address };
    });
    return statusJson(present(session));
  });

  addRoute(app, createSessionLink, async (request, reply) => {
    const link = await client.call(createSessionLink.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      return { ...(await linkBody.readOptional(request, limits, client.budget)), ...address };
    });
    reply.code(201);
    return linkJson(link);
  });
}
