// Shapes of the requests of the REST interface. What depends on the session, and on what a value means, is the domain's.
import { type TSchema, Type } from "typebox";
import { named, oneOf, ref } from "../../transport/http/bodies/json-schema.ts";

const closed = { additionalProperties: false } as const;

export const AnswerItem = named(
  "AnswerItem",
  Type.Object(
    {
      questionId: Type.Integer({
        description: "One of the question ids returned when the session was created.",
        examples: [1001],
      }),
      response: Type.Object(
        {
          type: Type.String({ description: "The question's own type: `likert`.", examples: ["likert"] }),
          value: Type.Number({ description: "An integer within the question's likertConfig.", examples: [5] }),
        },
        closed,
      ),
    },
    closed,
  ),
);

/** @param without what holds without it */
const expiresAt = (without: string) =>
  Type.String({
    format: "date-time",
    description: `When the session expires unless it is completed: within five years. Without it: ${without}.`,
    examples: ["2026-12-31T23:59:59Z"],
  });

export const CreateSessionRequest = named(
  "CreateSessionRequest",
  Type.Object(
    {
      subject: Type.Optional(
        Type.Unsafe<{ externalId?: string } | null>({
          type: ["object", "null"],
          description:
            "The person the session is for. Absent, null or empty: an anonymous one. Other members are ignored.",
          properties: {
            externalId: Type.String({
              minLength: 1,
              maxLength: 255,
              description:
                "The partner's own identifier: Unicode characters without control characters, not `.` or `..`, not beginning with `anon_`. Compared byte for byte.",
              examples: ["user-42"],
            }),
          },
        }),
      ),
      mode: Type.Optional(
        // Without the keyword `default`, for which generators of clients make the member required.
        oneOf(["headless", "hosted"], {
          description:
            "`headless`, which is the default: the partner asks the questions. `hosted`: the person is sent to pages of the service.",
        }),
      ),
      redirectUrl: Type.Optional(
        Type.String({
          format: "uri",
          maxLength: 2048,
          description: "Where the person goes after a hosted session: an http or https URL. Required when hosted.",
          examples: ["https://partner.example/done"],
        }),
      ),
      metadata: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: "object",
          description:
            "Checked, and neither stored nor echoed: at most 50 members, names of at most 40 characters, 16 KiB, 16 levels.",
          additionalProperties: true,
        }),
      ),
      locale: Type.Optional(
        Type.String({ description: "BCP 47 tag of the language of the hosted pages.", examples: ["de-CH"] }),
      ),
      personAccess: Type.Optional(
        oneOf(["none", "after_completion"], {
          description: "Of hosted sessions: whether the last page offers the person their report; `none` by default.",
        }),
      ),
      expiresAt: Type.Optional(expiresAt("never, or for hosted sessions by your policy, if you have one")),
    },
    closed,
  ),
);

export const SubmitAnswersRequest = named(
  "SubmitAnswersRequest",
  Type.Object({ answers: Type.Array(ref(AnswerItem), { minItems: 1, maxItems: 1000 }) }, closed),
);

export const CompleteRequest = named(
  "CompleteRequest",
  Type.Object({ answers: Type.Optional(Type.Array(ref(AnswerItem), { maxItems: 1000 })) }, closed),
);

export const CancelSessionRequest = named(
  "CancelSessionRequest",
  Type.Object(
    {
      eraseAnswers: Type.Optional(
        Type.Boolean({ description: "Whether to erase the answers given so far; they are kept by default." }),
      ),
    },
    closed,
  ),
);

export const ReopenSessionRequest = named(
  "ReopenSessionRequest",
  Type.Object({ expiresAt: Type.Optional(expiresAt("never, whatever your policy")) }, closed),
);

export const CreateReportLinkRequest = named(
  "CreateReportLinkRequest",
  Type.Object(
    {
      expiresInSeconds: Type.Optional(
        Type.Integer({ minimum: 3600, maximum: 7_776_000, description: "An hour to 90 days; a week by default." }),
      ),
      locale: Type.Optional(
        Type.String({
          description: "BCP 47 tag of the report's language; without it the person's browser decides.",
          examples: ["de"],
        }),
      ),
    },
    closed,
  ),
);

export const requestSchemas: readonly TSchema[] = [
  AnswerItem,
  CreateSessionRequest,
  SubmitAnswersRequest,
  CompleteRequest,
  CancelSessionRequest,
  ReopenSessionRequest,
  CreateReportLinkRequest,
];
