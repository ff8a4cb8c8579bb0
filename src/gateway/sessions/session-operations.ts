// Operations on sessions, and on results of one.

import {
  CancelSessionRequestSchema,
  CompleteSessionRequestSchema,
  CompleteSessionResponseSchema,
  CreateSessionLinkRequestSchema,
  CreateSessionLinkResponseSchema,
  CreateSessionRequestSchema,
  GetSessionResultsResponseSchema,
  ListSessionsResponseSchema,
  RecordAnswersRequestSchema,
  RecordAnswersResponseSchema,
  ReopenSessionRequestSchema,
  SessionSchema,
  SessionService,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { boolean, oneOf, optional, string } from "../../kernel/json/json-schema.ts";
import { refusalsOf } from "../../kernel/session-states.ts";
import { conditional, operation } from "../openapi/operation.ts";
import { quality, sessionFilterQuery } from "./session-queries.ts";

const sessions = SessionService.method;
const session = "/v1/:product/sessions/:id";

export const sessionOperations = {
  createSession: operation("POST", "/v1/:product/sessions", sessions.createSession, {
    tag: "Sessions",
    summary: "Create an assessment session",
    description: "A headless session answers the questions, a hosted one the address to send the person to.",
    body: CreateSessionRequestSchema,
    headers: {
      "idempotency-key": optional(
        string({
          description:
            "1 to 255 visible ASCII characters. The same key with the same request makes one session. It is kept for 30 days, or as many as the operator has set.",
          examples: ["5f1d7a3e-order-42"],
        }),
      ),
    },
    success: {
      status: 201,
      description: "The session, new or of the same idempotency key.",
      schema: "CreatedSession",
      headers: {
        Location: "Path of the session.",
        "Idempotent-Replayed": "`true` if an earlier request with the key made the session.",
        "Warning-Unused":
          "JSON pointers to members of `subject` that are allowed and ignored, such as `/subject/email, /subject/note`: the first ten, each cut at 100 characters.",
      },
    },
    reasons: ["idempotency_key_reused", "conflict", "group_closed", "limit_reached", "hosted_off"],
  }),
  listSessions: operation("GET", "/v1/:product/sessions", sessions.listSessions, {
    tag: "Sessions",
    summary: "List sessions",
    description:
      "Newest first; those that every filter lets pass. Ask for the next page with `after` and the same filters, until `next` is null: a page may hold fewer sessions than `limit`, or none, although there are more.",
    query: sessionFilterQuery,
    success: { status: 200, description: "A page of sessions.", schema: ListSessionsResponseSchema },
  }),
  getSession: operation("GET", session, sessions.getSession, {
    tag: "Sessions",
    summary: "Get session status",
    query: {
      include: optional(
        oneOf(["progress"], { description: "Whether to tell whose session it is, and how much of it is answered." }),
      ),
    },
    success: { status: 200, description: "How far the session is.", schema: SessionSchema },
  }),
  recordAnswers: operation("POST", `${session}/answers`, sessions.recordAnswers, {
    tag: "Sessions",
    summary: "Record answers",
    description: "All or none are stored; the last answer to a question counts. Repeating the request is safe.",
    body: RecordAnswersRequestSchema,
    success: { status: 200, description: "The answers are stored.", schema: RecordAnswersResponseSchema },
    reasons: [...refusalsOf("answer"), "conflict"],
  }),
  completeSession: operation("POST", `${session}/complete`, sessions.completeSession, {
    tag: "Sessions",
    summary: "Complete and score a session",
    description:
      "Merges the answers with those recorded, completes and scores, in one step. That is final: what has no answer then scores null for good, unless `requireAnswered` refuses. The body is optional.",
    body: CompleteSessionRequestSchema,
    isBodyOptional: true,
    success: { status: 200, description: "The session is completed.", schema: CompleteSessionResponseSchema },
    reasons: [...refusalsOf("complete"), "conflict"],
  }),
  cancelSession: operation("POST", `${session}/cancel`, sessions.cancelSession, {
    tag: "Sessions",
    summary: "Cancel a session",
    description: "Ends it for good before its completion. The body is optional, repeating the request is safe.",
    body: CancelSessionRequestSchema,
    isBodyOptional: true,
    success: { status: 200, description: "The session is cancelled.", schema: SessionSchema },
    reasons: [...refusalsOf("cancel"), "conflict"],
  }),
  reopenSession: operation("POST", `${session}/reopen`, sessions.reopenSession, {
    tag: "Sessions",
    summary: "Give an expired session another time",
    description: "Or an open one. The body is optional: without `expiresAt` the session never expires.",
    body: ReopenSessionRequestSchema,
    isBodyOptional: true,
    success: { status: 200, description: "The session is open.", schema: SessionSchema },
    reasons: [...refusalsOf("reopen"), "conflict"],
  }),
  createSessionLink: operation("POST", `${session}/links`, sessions.createSessionLink, {
    tag: "Sessions",
    summary: "Make a new link for a hosted session",
    description:
      "Every link before ends, and every browser that came by one is let out; answers stay. The body is optional. Of repeated requests, the link of the last one works.",
    body: CreateSessionLinkRequestSchema,
    isBodyOptional: true,
    success: {
      status: 201,
      description: "The link; its address is shown once.",
      schema: CreateSessionLinkResponseSchema,
    },
    reasons: [...refusalsOf("link"), "hosted_off"],
  }),
  getSessionResults: operation("GET", `${session}/results`, sessions.getSessionResults, {
    tag: "Sessions",
    summary: "Get session results",
    description: "Results are found once the session is scored, and never change.",
    query: {
      explain: optional(boolean({ description: "Whether to explain how the results came about." })),
      quality,
    },
    success: {
      status: 200,
      description: "The results.",
      schema: GetSessionResultsResponseSchema,
      headers: conditional,
    },
    isTagged: true,
  }),
} as const;
