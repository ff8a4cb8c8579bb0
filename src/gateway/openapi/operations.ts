// The operations of the REST interface: method, path, rpc, and what the OpenAPI document says of each.
import { Type } from "typebox";
import { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { EventService } from "../../gen/assessment/v1/event_service_pb.ts";
import { NormService } from "../../gen/assessment/v1/norm_service_pb.ts";
import { ReportService } from "../../gen/assessment/v1/report_service_pb.ts";
import { SessionService } from "../../gen/assessment/v1/session_service_pb.ts";
import { SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import { oneOf } from "../../http/json-schema.ts";
import { maxEventPageSize, maxEventWaitSeconds } from "../../rules/event-query.ts";
import { Norms, Report } from "../../values-bridge/json/schemas.ts";
import { EventPage } from "../schemas/events.ts";
import { papers, pictures, reportFormats } from "../schemas/reports.ts";
import {
  CompleteRequest,
  CreateReportLinkRequest,
  CreateSessionRequest,
  SubmitAnswersRequest,
} from "../schemas/requests.ts";
import {
  AssessmentSchema,
  CompletedSession,
  CreatedSession,
  RecordedAnswers,
  ReportLink,
  SessionResults,
  SessionStatus,
  SubjectChange,
  SubjectResults,
} from "../schemas/responses.ts";
import { operation } from "./describe-operation.ts";
import { webhookOperations } from "./webhook-operations.ts";

const sessions = SessionService.method;
const subjects = SubjectService.method;
const session = "/v1/:product/sessions/:id";
const subject = "/v1/:product/subjects/:externalId";

const quality = Type.Optional(Type.Boolean({ description: "Whether to say what the results are worth." }));

const conditional = { ETag: "Strong entity tag; send it in If-None-Match." };

const report = {
  description: "Accept, or format before it, says how. PDF and PNG are made to order: when too many are, 503.",
  query: Type.Object({
    format: Type.Optional(oneOf(reportFormats, { description: "Goes before Accept." })),
    picture: Type.Optional(oneOf(pictures, { description: "Of SVG and PNG; the circle by default." })),
    paper: Type.Optional(oneOf(papers, { description: "Of PDF; A4 by default." })),
    locale: Type.Optional(Type.String({ description: "BCP 47 tag; goes before Accept-Language.", examples: ["de"] })),
  }),
  success: {
    status: 200,
    description: "The report.",
    schema: Report,
    otherMedia: ["text/html", "application/pdf", "image/svg+xml", "image/png"],
    headers: {
      ...conditional,
      "Content-Language": "Language of the report.",
      "Content-Disposition": "A file name that names nobody.",
    },
  },
  isTagged: true,
  reasons: ["invalid_request", "not_acceptable"],
} as const;
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
        "Idempotent-Replayed": "`true` if an earlier request with the key made the session.",
        "Warning-Unused":
          "JSON pointer to a member of `subject` that looks like the person's id and is none: `externalId` is.",
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
      quality,
    }),
    success: { status: 200, description: "The results.", schema: SessionResults, headers: conditional },
    isTagged: true,
  }),
  getLatestResults: operation("GET", `${subject}/results`, subjects.getLatestResults, {
    tag: "Subjects",
    summary: "Get latest results for one of your users",
    query: Type.Object({ quality }),
    success: { status: 200, description: "Of the session completed last.", schema: SubjectResults },
    reasons: ["invalid_request"],
  }),
  getChange: operation("GET", `${subject}/change`, subjects.getChange, {
    tag: "Subjects",
    summary: "Get what changed between two sessions of one of your users",
    description: "Both sessions are completed ones of that person, the first completed before the second.",
    query: Type.Object({
      from: Type.Optional(
        Type.String({
          format: "uuid",
          description: "The first session; without it the one completed before the second.",
        }),
      ),
      to: Type.Optional(
        Type.String({ format: "uuid", description: "The second session; without it the one completed last." }),
      ),
    }),
    success: { status: 200, description: "The change from the first to the second.", schema: SubjectChange },
    reasons: ["invalid_request"],
  }),
  getSessionReport: operation("GET", `${session}/report`, ReportService.method.renderReport, {
    id: "getSessionReport",
    tag: "Reports",
    summary: "Get a session's results as a report for the person",
    ...report,
  }),
  getSubjectReport: operation("GET", `${subject}/report`, ReportService.method.renderReport, {
    id: "getSubjectReport",
    tag: "Reports",
    summary: "Get the latest results of one of your users as a report for them",
    ...report,
  }),
  createReportLink: operation("POST", `${session}/report-links`, ReportService.method.createReportLink, {
    tag: "Reports",
    summary: "Make a link by which the person reads their report",
    description: "Whoever has the address can read that one report. At most ten of a session work at a time.",
    body: CreateReportLinkRequest,
    isBodyOptional: true,
    success: { status: 201, description: "The link; its address is shown once.", schema: ReportLink },
  }),
  revokeReportLinks: operation("DELETE", `${session}/report-links`, ReportService.method.revokeReportLinks, {
    tag: "Reports",
    summary: "End all links to a session's report",
    success: { status: 204, description: "Nobody gets at the report by a link any more." },
  }),
  eraseSubject: operation("DELETE", subject, subjects.eraseSubject, {
    tag: "Subjects",
    summary: "Erase one of your users",
    description: "Removes every session, answer and result of the person for good.",
    success: { status: 204, description: "Nothing is held any more." },
  }),
  getNorms: operation("GET", "/v1/:product/norms", NormService.method.getNorms, {
    tag: "Norms",
    summary: "Get norms",
    description:
      "How many people answer: those of the partner, and those of all partners. What is withheld is null, with its reason.",
    query: Type.Object({
      language: Type.Optional(
        Type.String({
          description: "BCP 47 tag of the statements; without it `und`, sessions of which it is not known.",
        }),
      ),
      version: Type.Optional(Type.Integer({ minimum: 1, description: "A version; without it the published one." })),
    }),
    success: { status: 200, description: "What is released.", schema: Norms },
    reasons: ["invalid_request"],
  }),
  getAssessment: operation("GET", "/v1/:product/assessment", AssessmentService.method.getPublishedAssessment, {
    tag: "Assessments",
    summary: "Get published assessment schema",
    query: Type.Object({
      version: Type.Optional(Type.Integer({ minimum: 1, description: "A version; without it the published one." })),
    }),
    success: { status: 200, description: "The version.", schema: AssessmentSchema, headers: conditional },
    isTagged: true,
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
