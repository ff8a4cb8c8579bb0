// The operations of the REST interface: method, path, rpc, and what the OpenAPI document says of each.
import { Type } from "typebox";
import { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { EventService } from "../../gen/assessment/v1/event_service_pb.ts";
import { SessionService } from "../../gen/assessment/v1/session_service_pb.ts";
import { SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import { oneOf } from "../../http/json-schema.ts";
import { maxEventPageSize, maxEventWaitSeconds } from "../../rules/event-query.ts";
import { EventPage } from "../schemas/events.ts";
import { CompleteRequest, CreateSessionRequest, SubmitAnswersRequest } from "../schemas/requests.ts";
import {
  AssessmentSchema,
  CompletedSession,
  CreatedSession,
  RecordedAnswers,
  SessionResults,
  SessionStatus,
  SubjectResults,
} from "../schemas/responses.ts";
import { operation } from "./describe-operation.ts";
import { webhookOperations } from "./webhook-operations.ts";

const sessions = SessionService.method;
const subjects = SubjectService.method;
const session = "/v1/:product/sessions/:id";
const subject = "/v1/:product/subjects/:externalId";

const conditional = { ETag: "Strong entity tag; send it in If-None-Match." };

const eventQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description:
        "The `next` of the response before. Without it: from the oldest event that is kept. `now`: only what happens from now on.",
      examples: ["1042"],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxEventPageSize, default: 100, description: "Most events in the response." }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxEventWaitSeconds,
      default: 0,
      description: "Seconds to wait for an event if there is none.",
    }),
  ),
  types: Type.Optional(
    Type.String({
      description: "Types of events, separated by commas; all by default.",
      examples: ["session.completed"],
    }),
  ),
  include: Type.Optional(
    oneOf(["externalId"], { description: "Names the person of each session; needs `sessions:read` as well." }),
  ),
});

export const operations = {
  ...webhookOperations,
  createSession: operation("POST", "/v1/:product/sessions", sessions.createSession, {
    tag: "Sessions",
    summary: "Create an assessment session",
    description: "A headless session answers the questions, a hosted one the address to send the person to.",
    body: CreateSessionRequest,
    headers: Type.Object({
      "idempotency-key": Type.Optional(
        Type.String({
          description: "1 to 255 visible ASCII characters. The same key with the same request makes one session.",
          examples: ["5f1d7a3e-order-42"],
        }),
      ),
    }),
    success: {
      status: 201,
      description: "The session, new or of the same idempotency key.",
      schema: CreatedSession,
      headers: {
        Location: "Path of the session.",
        "Idempotent-Replayed": "`true` where an earlier request with the key made the session.",
      },
    },
    reasons: ["idempotency_key_reused", "conflict"],
  }),
  getSession: operation("GET", session, sessions.getSession, {
    tag: "Sessions",
    summary: "Get session status",
    success: { status: 200, description: "How far the session is.", schema: SessionStatus },
  }),
  recordAnswers: operation("POST", `${session}/answers`, sessions.recordAnswers, {
    tag: "Sessions",
    summary: "Record answers",
    description: "All or none are stored; the last answer to a question counts. Repeating the request is safe.",
    body: SubmitAnswersRequest,
    success: { status: 200, description: "The answers are stored.", schema: RecordedAnswers },
    reasons: ["session_completed", "conflict"],
  }),
  completeSession: operation("POST", `${session}/complete`, sessions.completeSession, {
    tag: "Sessions",
    summary: "Complete and score a session",
    description: "Merges the answers with those recorded, completes and scores, in one step. The body is optional.",
    body: CompleteRequest,
    isBodyOptional: true,
    success: { status: 200, description: "The session is completed.", schema: CompletedSession },
    reasons: ["session_completed", "conflict"],
  }),
  getSessionResults: operation("GET", `${session}/results`, sessions.getSessionResults, {
    tag: "Sessions",
    summary: "Get session results",
    description: "Results are found once the session is scored, and never change.",
    query: Type.Object({
      explain: Type.Optional(Type.Boolean({ description: "Whether to explain how the results came about." })),
    }),
    success: { status: 200, description: "The results.", schema: SessionResults, headers: conditional },
    isTagged: true,
    reasons: ["invalid_request"],
  }),
  getLatestResults: operation("GET", `${subject}/results`, subjects.getLatestResults, {
    tag: "Subjects",
    summary: "Get latest results for one of your users",
    success: { status: 200, description: "Of the session completed last.", schema: SubjectResults },
  }),
  eraseSubject: operation("DELETE", subject, subjects.eraseSubject, {
    tag: "Subjects",
    summary: "Erase one of your users",
    description: "Removes every session, answer and result of the person for good.",
    success: { status: 204, description: "Nothing is held any more." },
  }),
  getAssessment: operation("GET", "/v1/:product/assessment", AssessmentService.method.getPublishedAssessment, {
    tag: "Assessments",
    summary: "Get published assessment schema",
    query: Type.Object({
      version: Type.Optional(Type.Integer({ minimum: 1, description: "A version; without it the published one." })),
    }),
    success: { status: 200, description: "The version.", schema: AssessmentSchema, headers: conditional },
    isTagged: true,
    reasons: ["invalid_request"],
  }),
  listEvents: operation("GET", "/v1/events", EventService.method.listEvents, {
    tag: "Events",
    summary: "Read what happened",
    description:
      "A feed without gaps: keep `next`, and ask again from there. At most 8 requests of a client wait at a time.",
    query: eventQuery,
    success: { status: 200, description: "Events behind the cursor, oldest first.", schema: EventPage },
    reasons: ["invalid_request", "events_expired"],
  }),
} as const;
