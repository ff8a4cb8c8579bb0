// Shapes of the answers of the REST interface. Every member is always there; what has no score is null.
import { type TSchema, Type } from "typebox";
import { SessionStatusSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { named, nullable, oneOf, ref } from "../../http/json-schema.ts";
import { enumWords } from "../../http/message-json.ts";
import {
  Change,
  Explanation,
  Norms,
  Quality,
  Report,
  ValuesBridgeConfig,
  ValuesBridgeResults,
} from "../../values-bridge/json/schemas.ts";
import { products } from "./requests.ts";

const uuid = (description: string) =>
  Type.String({ format: "uuid", description, examples: ["01a1fb89-5dec-77cf-b1b7-6cda148388bd"] });
const dateTime = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-11-20T09:30:00.000Z"] });
const product = oneOf(products, { description: "Assessment product." });
export const Subject = named(
  "Subject",
  Type.Object({
    id: uuid("The same for every session of one external id."),
    externalId: Type.String({ description: "As given, or `anon_` and the id.", examples: ["user-42"] }),
    anonymous: Type.Boolean(),
  }),
);

export const Question = named(
  "Question",
  Type.Object({
    id: Type.Integer({ description: "Names the question in an answer; unique over all versions.", examples: [1001] }),
    prompt: Type.String({ examples: ["In the life I want, I arrange my days in the way that suits me."] }),
    type: oneOf(["likert"], { description: "Kind of the question; more may come." }),
    group: Type.String({ description: "Block of questions that belong together.", examples: ["ideal"] }),
    position: Type.Integer({ minimum: 1 }),
    required: Type.Boolean({ description: "Whether the hosted pages insist on an answer; the interface does not." }),
    likertConfig: nullable(Type.Object({ min: Type.Integer(), max: Type.Integer() })),
    choices: Type.Array(Type.Object({ id: Type.Integer(), label: Type.String() }), {
      description: "The ratings with their labels; the id is the value of the response.",
    }),
    valuesBridgeConfig: nullable(ValuesBridgeConfig),
  }),
);

export const AssessmentSchema = named(
  "AssessmentSchema",
  Type.Object({
    product,
    assessmentId: Type.Integer({ minimum: 1 }),
    version: Type.Integer({ minimum: 1 }),
    questions: Type.Array(ref(Question)),
  }),
);

export const HeadlessSession = named(
  "HeadlessSession",
  Type.Object({
    sessionId: uuid("The session."),
    mode: oneOf(["headless"]),
    subject: ref(Subject),
    assessment: ref(AssessmentSchema),
  }),
);

export const HostedSession = named(
  "HostedSession",
  Type.Object({
    sessionId: uuid("The session."),
    mode: oneOf(["hosted"]),
    subject: ref(Subject),
    hostedUrl: Type.String({ format: "uri", description: "Address for this one person; whoever has it can answer." }),
    expiresAt: dateTime("When the address stops working."),
  }),
);

export const CreatedSession = named(
  "CreatedSession",
  Type.Unsafe<unknown>({ oneOf: [ref(HeadlessSession), ref(HostedSession)] }),
);

export const SessionStatus = named(
  "SessionStatus",
  Type.Object({
    sessionId: uuid("The session."),
    product,
    status: oneOf(enumWords(SessionStatusSchema)),
    createdAt: dateTime("When the session was created."),
    completedAt: nullable(dateTime("When it was completed; null while it is open.")),
  }),
);

export const RecordedAnswers = named(
  "RecordedAnswers",
  Type.Object({
    sessionId: uuid("The session."),
    recorded: Type.Integer({ minimum: 1, description: "Distinct questions that this call answered." }),
  }),
);

export const CompletedSession = named(
  "CompletedSession",
  Type.Object({
    sessionId: uuid("The session."),
    status: oneOf(["completed"]),
    results: nullable(ref(ValuesBridgeResults)),
  }),
);

export const SessionResults = named(
  "SessionResults",
  Type.Object({
    sessionId: uuid("The session."),
    results: ref(ValuesBridgeResults),
    explanation: Type.Optional(ref(Explanation)),
    quality: Type.Optional(ref(Quality)),
  }),
);

export const SubjectResults = named(
  "SubjectResults",
  Type.Object({
    subject: Type.Object({ externalId: Type.String() }),
    sessionId: uuid("The session completed last."),
    completedAt: nullable(dateTime("When it was completed.")),
    results: nullable(ref(ValuesBridgeResults)),
    quality: Type.Optional(ref(Quality)),
  }),
);

const sessionReference = (description: string) =>
  Type.Object({ sessionId: uuid(description), completedAt: dateTime("When it was completed.") });

export const SubjectChange = named(
  "SubjectChange",
  Type.Object({
    subject: Type.Object({ externalId: Type.String() }),
    from: sessionReference("The first session."),
    to: sessionReference("The second session."),
    change: ref(Change),
  }),
);

export const ReportLink = named(
  "ReportLink",
  Type.Object({
    reportUrl: Type.String({ format: "uri", description: "Address for this one person; whoever has it can read." }),
    expiresAt: dateTime("When the address stops working."),
  }),
);

export const ProblemDetails = named(
  "ProblemDetails",
  Type.Object(
    {
      type: Type.String({ format: "uri", description: "Page of the problem." }),
      title: Type.String(),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      code: Type.String({ examples: ["invalid_request"] }),
      detail: Type.String(),
      requestId: Type.String(),
      endpointId: Type.Optional(Type.String({ description: "Of `endpoint_exists`: the other endpoint." })),
      oldest: Type.Optional(
        Type.String({ description: "Of `events_expired`: the cursor before the oldest event that is kept." }),
      ),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            pointer: Type.String({
              description: "JSON pointer into the body; `#` where the fault lies outside of it.",
              examples: ["#/answers/0/questionId"],
            }),
            code: Type.String({ examples: ["unknown_question"] }),
            detail: Type.String(),
          }),
          { maxItems: 50 },
        ),
      ),
      errorsTruncated: Type.Optional(
        Type.Boolean({ description: "True where more faults were found than are listed." }),
      ),
    },
    { additionalProperties: false },
  ),
);

export const responseSchemas: readonly TSchema[] = [
  Subject,
  Question,
  AssessmentSchema,
  HeadlessSession,
  HostedSession,
  CreatedSession,
  SessionStatus,
  RecordedAnswers,
  ValuesBridgeResults,
  CompletedSession,
  Explanation,
  SessionResults,
  SubjectResults,
  Quality,
  Change,
  SubjectChange,
  Norms,
  Report,
  ReportLink,
  ProblemDetails,
];
