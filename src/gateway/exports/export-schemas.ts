// Shapes of exports in the REST interface.
import { type TSchema, Type } from "typebox";
import { SessionStatusSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { products } from "../../kernel/products.ts";
import { ValuesBridgeResults } from "../../products/values-bridge/json/schemas.ts";
import { named, nullable, oneOf, ref } from "../../transport/http/bodies/json-schema.ts";
import { enumWords } from "../../transport/http/bodies/message-json.ts";
import { versionNumber } from "../shared/members.ts";

const time = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-11-21T15:04:05.123Z"] });

export const ExportedSession = named(
  "ExportedSession",
  Type.Object({
    sessionId: Type.String({ format: "uuid", examples: ["019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e"] }),
    externalId: Type.String({ description: "Your identifier of the person.", examples: ["user-42"] }),
    mode: oneOf(["headless", "hosted"], { description: "Who leads the person through the questions." }),
    status: oneOf(enumWords(SessionStatusSchema), { description: "How far the session is." }),
    assessmentVersion: Type.Integer({ minimum: 1 }),
    createdAt: time("When it was created."),
    completedAt: nullable(time("When it was completed; null until then.")),
    answersDeletedAt: nullable(time("When a policy deleted its answers; null if none has.")),
    resultsDeletedAt: nullable(time("When a policy deleted its results; null if none has.")),
    answers: Type.Optional(
      Type.Array(Type.Object({ questionId: Type.Integer(), value: Type.Integer() }), {
        description: "The answers that are stored, unless they are left out.",
      }),
    ),
    results: Type.Optional(nullable(ref(ValuesBridgeResults))),
  }),
);

export const Codebook = named(
  "Codebook",
  Type.Object({
    product: oneOf(products, { description: "Assessment product." }),
    version: Type.Integer({ minimum: 1 }),
    columns: Type.Array(
      Type.Object({
        name: Type.String({ description: "In the first line of the file.", examples: ["q001"] }),
        label: Type.String({ description: "What it means." }),
        type: oneOf(["text", "time", "integer", "number"], { description: "What its cells hold." }),
        minimum: nullable(Type.Number({ description: "Least value of a number." })),
        maximum: nullable(Type.Number({ description: "Greatest value of a number." })),
        values: Type.Array(Type.Object({ value: Type.String(), label: Type.String() }), {
          description: "What a cell is one of, if they are few. A missing value is an empty cell.",
        }),
        source: Type.String({
          description: "Where the same stands in a session as JSON.",
          examples: ["results/values/3/idealDisplayRank"],
        }),
      }),
      { description: "From left to right." },
    ),
  }),
);

export const exportSchemas: readonly TSchema[] = [ExportedSession, Codebook];

const version = Type.Optional(versionNumber("Of the assessment."));

export const exportQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description:
        "The `nextCursor` of a response, or the last `session_id` of a CSV without one. The `sessionId` of a line: go on some minutes before it.",
    }),
  ),
  include: Type.Optional(
    oneOf(["answers", "results", "both"], { description: "What sessions hold; `both` unless it is asked otherwise." }),
  ),
  format: Type.Optional(oneOf(["ndjson", "csv"], { description: "Instead of the Accept header." })),
  version,
});

export const codebookQuery = Type.Object({
  version,
  format: Type.Optional(oneOf(["json", "csv"], { description: "Instead of the Accept header." })),
});
