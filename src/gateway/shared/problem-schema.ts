// The shape of a refusal.
import { Type } from "typebox";
import { named } from "../../transport/http/bodies/json-schema.ts";

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
      unanswered: Type.Optional(
        Type.Array(Type.Integer(), {
          maxItems: 100,
          description: "Of `invalid_request` with `requireAnswered`: ids of the first questions that have no answer.",
        }),
      ),
      withheld: Type.Optional(
        Type.String({ description: "Of `numbers_withheld`: `open`, `too_few`, `too_alike` or `withdrawn`." }),
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
