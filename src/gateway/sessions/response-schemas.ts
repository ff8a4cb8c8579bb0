// Shapes of the answers of the REST interface. Every member is always there; what has no score is null.
import { type TSchema, Type } from "typebox";
import { SessionStatusSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { maxSessionPageSize } from "../../kernel/requests/session-list.ts";
import {
  Change,
  Explanation,
  Norms,
  Quality,
  Report,
  Totals,
  ValuesBridgeResults,
} from "../../products/values-bridge/json/schemas.ts";
import { named, nullable, oneOf, ref } from "../../transport/http/bodies/json-schema.ts";
import { enumWords } from "../../transport/http/bodies/message-json.ts";
import { AssessmentSchema, Question } from "../assessments/assessment-schemas.ts";
import { dateTime, product, uuid } from "../shared/members.ts";
import { ProblemDetails } from "../shared/problem-schema.ts";

export const Subject = named(
  "Subject",
  Type.Object({
    id: uuid("The same for every session of one external id."),
    externalId: Type.String({ description: "As given, or `anon_` and the id.", examples: ["user-42"] }),
    anonymous: Type.Boolean(),
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
    expiresAt: dateTime("When the address stops working, or the session expires."),
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
    completedAt: nullable(dateTime("When it was completed; null if it is not.")),
    cancelledAt: Type.Optional(dateTime("When it was cancelled; absent if it is not.")),
    expiresAt: Type.Optional(dateTime("When it expires unless it is completed; absent if it does not.")),
    answersDeletedAt: Type.Optional(dateTime("When a policy deleted its answers; absent if none has.")),
    resultsDeletedAt: Type.Optional(dateTime("When a policy deleted its results; absent if none has.")),
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

const listed = {
  sessionId: uuid("The session."),
  status: oneOf(enumWords(SessionStatusSchema)),
  mode: oneOf(["headless", "hosted"]),
  assessmentVersion: Type.Integer({ minimum: 1, description: "The version that the session keeps for good." }),
  createdAt: dateTime("When the session was created."),
  completedAt: nullable(dateTime("When it was completed; null if it is not.")),
  cancelledAt: nullable(dateTime("When it was cancelled; null if it is not.")),
  expiresAt: nullable(dateTime("When it expires unless it is completed; null if it does not.")),
  answersDeletedAt: nullable(dateTime("When a policy deleted its answers; null if none has.")),
  resultsDeletedAt: nullable(dateTime("When a policy deleted its results; null if none has.")),
};
const next = nullable(Type.String({ description: "`after` of the next page; null on the last one." }));

export const SessionPage = named(
  "SessionPage",
  Type.Object({
    sessions: Type.Array(Type.Object({ ...listed, product, subject: ref(Subject) }), { maxItems: maxSessionPageSize }),
    next,
  }),
);

export const SubjectSessionPage = named(
  "SubjectSessionPage",
  Type.Object({
    subject: Type.Object({ externalId: Type.String() }),
    sessions: Type.Array(
      Type.Object({
        ...listed,
        totals: nullable(Totals),
      }),
      { maxItems: maxSessionPageSize },
    ),
    next,
  }),
);

export const ReportLink = named(
  "ReportLink",
  Type.Object({
    reportUrl: Type.String({ format: "uri", description: "Address for this one person; whoever has it can read." }),
    expiresAt: dateTime("When the address stops working."),
  }),
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
  SessionPage,
  SubjectSessionPage,
  Quality,
  Change,
  SubjectChange,
  Norms,
  Report,
  ReportLink,
  ProblemDetails,
];
