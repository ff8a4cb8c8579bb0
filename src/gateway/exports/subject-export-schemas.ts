// Shapes of all that is held of a person in the REST interface.
import { type TSchema, Type } from "typebox";
import { PersonDoorSchema } from "../../gen/assessment/v1/held_session_pb.ts";
import {
  PersonAccessSchema,
  SessionModeSchema,
  SessionStatusSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { products } from "../../kernel/products.ts";
import { Explanation, Quality, ValuesBridgeResults } from "../../products/values-bridge/json/schemas.ts";
import { named, nullable, oneOf, ref } from "../../transport/http/bodies/json-schema.ts";
import { enumWords } from "../../transport/http/bodies/message-json.ts";
import { Subject } from "../sessions/response-schemas.ts";

const uuid = (description: string) =>
  Type.String({ format: "uuid", description, examples: ["019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e"] });
const time = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-11-21T15:04:05.123Z"] });
const language = (description: string) => nullable(Type.String({ description, examples: ["de"] }));
const access = {
  door: oneOf(enumWords(PersonDoorSchema), { description: "The hosted pages, or the person's report." }),
  createdAt: time("When it was made."),
  expiresAt: time("When it ends."),
};

export const HeldSession = named(
  "HeldSession",
  Type.Object({
    sessionId: uuid("The session."),
    mode: oneOf(enumWords(SessionModeSchema), { description: "Who leads the person through the questions." }),
    status: oneOf(enumWords(SessionStatusSchema), { description: "How far the session is." }),
    assessmentVersion: Type.Integer({ minimum: 1 }),
    createdAt: time("When it was created."),
    completedAt: nullable(time("When it was completed; null if it is not.")),
    cancelledAt: nullable(time("When it was cancelled; null if it is not.")),
    expiresAt: nullable(time("When it expires unless it is completed; null if it does not.")),
    answersDeletedAt: nullable(time("When a policy deleted its answers; null if none has.")),
    resultsDeletedAt: nullable(time("When a policy deleted its results; null if none has.")),
    redirectUrl: nullable(Type.String({ description: "Where the hosted pages send the person; null without them." })),
    locale: language("Language that you asked for; null if you did not."),
    personAccess: oneOf(enumWords(PersonAccessSchema), { description: "What the person may see of their results." }),
    shownLanguage: language("Language in which the statements were shown; null if that is not known."),
    statementLanguage: Type.String({ description: "Language in which the answers quote them.", examples: ["en"] }),
    answers: Type.Array(
      Type.Object({
        questionId: Type.Integer(),
        statement: Type.String({ description: "What the person rated." }),
        value: Type.Integer({ description: "The rating." }),
        label: Type.String({ description: "What the rating says." }),
      }),
      { description: "The answers that are stored, in the order of the questions." },
    ),
    arrivals: nullable(
      Type.Object({
        firstAnswerAt: time("The first request that changed an answer."),
        lastAnswerAt: time("The last one."),
        answerCalls: Type.Integer({ description: "Number of those requests." }),
        firstCallAnswers: Type.Integer({ description: "Number of questions that the first of them answered." }),
      }),
    ),
    results: nullable(ref(ValuesBridgeResults)),
    explanation: nullable(ref(Explanation)),
    quality: nullable(ref(Quality)),
    normCounting: nullable(
      Type.Object({
        counted: Type.Boolean({ description: "Whether it was decided already what the answers are for norms." }),
        contributes: Type.Boolean({ description: "Whether the sums behind norms have the answers in them." }),
        retestOf: nullable(uuid("The person's earlier session that it makes a pair with.")),
      }),
    ),
    links: Type.Array(
      Type.Object({ ...access, locale: language("Language that you asked for; null if you did not.") }),
      {
        description: "Links for the person; removed a day after they end.",
      },
    ),
    visits: Type.Array(Type.Object(access), {
      description: "Browsers that opened such a link; removed a day after they end.",
    }),
    reportViews: Type.Array(
      Type.Object({
        viewedAt: time("The minute."),
        byLink: Type.Boolean({ description: "Whether a link led there, or the hosted pages." }),
      }),
      { description: "When the report was looked at, the last 1000 times." },
    ),
    hasEarlierReportViews: Type.Boolean(),
  }),
);

export const SubjectExport = named(
  "SubjectExport",
  Type.Object({
    subject: ref(Subject),
    product: oneOf(products, { description: "Assessment product." }),
    sessions: Type.Array(ref(HeldSession), { description: "In the order of creation." }),
    nextCursor: Type.String({ description: "`after` of what follows." }),
    atEnd: Type.Boolean({ description: "Whether that is all. If not, ask again with `after`." }),
  }),
);

export const subjectExportSchemas: readonly TSchema[] = [HeldSession, SubjectExport];

export const subjectExportQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description: "The `nextCursor` of a response; or the id of a session, to go on some minutes before it.",
    }),
  ),
});
