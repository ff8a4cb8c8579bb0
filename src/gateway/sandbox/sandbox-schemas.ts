// Shapes of the sandbox in the REST interface.
import { type TSchema, Type } from "typebox";
import { named } from "../../transport/http/bodies/json-schema.ts";

const closed = { additionalProperties: false } as const;

export const AutofillRequest = named(
  "AutofillRequest",
  Type.Object(
    {
      persona: Type.String({
        description:
          "`archetype-1` and so on for each archetype of the version, `null-scores`, `one-answer`, `straight-line` or `contradictory`.",
        examples: ["archetype-7"],
      }),
    },
    closed,
  ),
);

export const SetTestClockRequest = named(
  "SetTestClockRequest",
  Type.Object(
    {
      now: Type.Optional(
        Type.String({
          format: "date-time",
          description:
            "What the clock shall say: later than the time of everybody, by ten years at most. Without it: the time of everybody.",
          examples: ["2027-11-21T15:04:05Z"],
        }),
      ),
    },
    closed,
  ),
);

export const TestClock = named(
  "TestClock",
  Type.Object({
    now: Type.String({
      format: "date-time",
      description: "The time of your sessions.",
      examples: ["2027-11-21T15:04:05.123Z"],
    }),
    aheadSeconds: Type.Integer({
      minimum: 0,
      description: "How far that is ahead of the time of everybody; 0 unless you moved it.",
      examples: [31536000],
    }),
  }),
);

export const sandboxRequestSchemas: readonly TSchema[] = [AutofillRequest, SetTestClockRequest];
export const sandboxSchemas: readonly TSchema[] = [TestClock];
