// Shapes of the REST interface. What depends on the session, and on the meaning of a value, is the domain's to judge.
import { Type } from "typebox";

/** The products of the interface. */
export const products = ["values-bridge"] as const;

const closed = { additionalProperties: false } as const;

export const AnswerItem = Type.Object(
  {
    questionId: Type.Integer({ description: "One of the question ids returned when the session was created." }),
    response: Type.Object(
      {
        type: Type.String({ description: "The question's own type: `likert`." }),
        value: Type.Number({ description: "An integer within the question's likertConfig." }),
      },
      closed,
    ),
  },
  closed,
);

export const CreateSessionRequest = Type.Object(
  {
    subject: Type.Optional(
      Type.Unsafe<{ externalId?: string } | null>({
        type: ["object", "null"],
        properties: {
          externalId: Type.String({
            minLength: 1,
            maxLength: 255,
            description: "The partner's own identifier, compared byte for byte. Without it the person is anonymous.",
          }),
        },
      }),
    ),
    mode: Type.Optional(Type.Enum(["headless", "hosted"], { default: "headless" })),
    redirectUrl: Type.Optional(
      Type.String({
        format: "uri",
        maxLength: 2048,
        description: "Where the person goes after a hosted session. Required for hosted sessions.",
      }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({ type: "object", description: "Checked, and neither stored nor echoed." }),
    ),
    locale: Type.Optional(Type.String({ description: "BCP 47 tag of the language of the hosted pages." })),
  },
  closed,
);

export const SubmitAnswersRequest = Type.Object(
  { answers: Type.Array(AnswerItem, { minItems: 1, maxItems: 1000 }) },
  closed,
);

export const CompleteRequest = Type.Object(
  { answers: Type.Optional(Type.Array(AnswerItem, { maxItems: 1000 })) },
  closed,
);
