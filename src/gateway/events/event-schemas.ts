// Shapes of events in the REST interface.
import { type TSchema, Type } from "typebox";
import { products } from "../../kernel/products.ts";
import { named, oneOf, ref } from "../../transport/http/bodies/json-schema.ts";

export const Event = named(
  "Event",
  Type.Object({
    id: Type.String({
      description: "The same for every reading and delivery of this event.",
      examples: ["evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e_completed"],
    }),
    type: Type.String({
      description:
        "`session.created`, `session.started` (the first answer), `session.completed`, `session.scored`, `session.cancelled`, `session.expired` (the first time), `session.erased`, or in a test delivery `webhook.test`; more may come.",
      examples: ["session.completed"],
    }),
    timestamp: Type.String({
      format: "date-time",
      description: "When it happened.",
      examples: ["2026-11-21T15:04:05.123Z"],
    }),
    sequence: Type.String({
      description: "Its place among your events: a number, ascending, with holes.",
      examples: ["1042"],
    }),
    data: Type.Object({
      sessionId: Type.String({ format: "uuid", examples: ["019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e"] }),
      product: oneOf(products, { description: "Assessment product." }),
      assessmentVersion: Type.Optional(Type.Integer({ minimum: 1, description: "Not of an erased session." })),
      mode: Type.Optional(oneOf(["headless", "hosted"], { description: "Not of an erased session." })),
      externalId: Type.Optional(
        Type.String({ description: "If it was asked for and the session is still there.", examples: ["user-42"] }),
      ),
      test: Type.Optional(Type.Boolean({ description: "True for events of a test twin; absent for all others." })),
    }),
  }),
);

export const EventPage = named(
  "EventPage",
  Type.Object({
    events: Type.Array(ref(Event), {
      maxItems: 500,
      description: "Oldest first. There may be none although there are more.",
    }),
    next: Type.String({
      description: "The cursor behind all that was looked at: `after` of the next request.",
      examples: ["1042"],
    }),
    atEnd: Type.Boolean({ description: "Whether nothing was behind the cursor when it was looked at." }),
  }),
);

export const eventSchemas: readonly TSchema[] = [Event, EventPage];
