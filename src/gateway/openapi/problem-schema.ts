// The schema of a problem.

import { array, boolean, integer, named, object, optional, string } from "../../json/json-schema.ts";
export const ProblemDetails = named(
  "ProblemDetails",
  object(
    {
      type: string({ format: "uri", description: "Page of the problem." }),
      title: string(),
      status: integer({ minimum: 400, maximum: 599 }),
      code: string({ examples: ["invalid_request"] }),
      detail: string(),
      requestId: string(),
      endpointId: optional(string({ description: "Of `endpoint_exists`: the other endpoint." })),
      oldest: optional(
        string({ description: "Of `events_expired`: the cursor before the oldest event that is kept." }),
      ),
      unanswered: optional(
        array(integer(), {
          maxItems: 100,
          description: "Of `invalid_request` with `requireAnswered`: ids of the first questions that have no answer.",
        }),
      ),
      reason: optional(
        string({
          description:
            "Of `not_found`, for results of a session of your own: `session_not_completed`, or `session_not_scored`.",
        }),
      ),
      withheld: optional(
        string({ description: "Of `numbers_withheld`: `open`, `too_few`, `too_alike` or `withdrawn`." }),
      ),
      errors: optional(
        array(
          object({
            pointer: string({
              description: "JSON pointer into the body; `#` where the fault lies outside of it.",
              examples: ["#/answers/0/questionId"],
            }),
            parameter: optional(string({ description: "The query parameter, if it is one.", examples: ["limit"] })),
            code: string({ examples: ["unknown_question"] }),
            detail: string(),
          }),
          { maxItems: 50 },
        ),
      ),
      errorsTruncated: optional(boolean({ description: "True where more faults were found than are listed." })),
    },
    { additionalProperties: false },
  ),
);
