// Shapes of webhook endpoints in the REST interface.
import { type TSchema, Type } from "typebox";
import {
  ParkedEventStateSchema,
  WebhookDisabledReasonSchema,
  WebhookEndpointStatusSchema,
  WebhookOutcomeSchema,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import {
  maxDescriptionLength,
  maxListedTypes,
  maxOverlapSeconds,
  maxRedelivered,
  maxUrlLength,
} from "../../kernel/requests/webhook-request.ts";
import { named, nullable, oneOf, ref } from "../../transport/http/bodies/json-schema.ts";
import { enumWords } from "../../transport/http/bodies/message-json.ts";

const closed = { additionalProperties: false } as const;

const url = Type.String({
  maxLength: maxUrlLength,
  description: "An https URL with the name of a host that leads to public addresses only, without user and fragment.",
  examples: ["https://partner.example/webhooks"],
});
const types = Type.Array(Type.String({ examples: ["session.completed"] }), {
  minItems: 1,
  maxItems: maxListedTypes,
  description: "Types of events that it gets. New types reach only endpoints that list them.",
});
const description = Type.String({ maxLength: maxDescriptionLength, description: "For people." });
const includeExternalId = Type.Boolean({
  description: "Whether events name the person of their session; needs `sessions:read` as well.",
});
const cursor = (text: string) => Type.String({ description: text, examples: ["1042"] });
const dateTime = (text: string) =>
  Type.String({ format: "date-time", description: text, examples: ["2026-11-21T15:04:05.123Z"] });
const uuid = (text: string) => Type.String({ format: "uuid", description: text });
const status = nullable(Type.Integer({ description: "The status that the endpoint answered; null: none." }));
const error = nullable(Type.String({ description: "Why it answered none.", examples: ["connect_timeout"] }));
const tookMs = Type.Integer({ description: "Milliseconds." });
const outcome = oneOf(enumWords(WebhookOutcomeSchema), { description: "`succeeded`: the endpoint answered 2xx." });

export const CreateWebhookEndpointRequest = named(
  "CreateWebhookEndpointRequest",
  Type.Object(
    {
      url,
      types,
      description: Type.Optional(description),
      includeExternalId: Type.Optional(includeExternalId),
      start: Type.Optional(
        oneOf(["now", "oldest"], { description: "Where it begins in the log of events; `now` if it is left out." }),
      ),
    },
    closed,
  ),
);

export const UpdateWebhookEndpointRequest = named(
  "UpdateWebhookEndpointRequest",
  Type.Object(
    {
      url: Type.Optional(url),
      types: Type.Optional(types),
      description: Type.Optional(description),
      includeExternalId: Type.Optional(includeExternalId),
      enabled: Type.Optional(Type.Boolean({ description: "Whether events are sent." })),
      resume: Type.Optional(
        oneOf(["stopped_at", "now"], {
          description: "Where it goes on when this request enables it; `stopped_at` if it is left out.",
        }),
      ),
    },
    closed,
  ),
);

export const RotateWebhookSecretRequest = named(
  "RotateWebhookSecretRequest",
  Type.Object(
    {
      overlapSeconds: Type.Optional(
        Type.Integer({
          description: `For how long the secrets before go on to sign: 0 to ${maxOverlapSeconds}; a day if it is left out.`,
        }),
      ),
    },
    closed,
  ),
);

export const RedeliverEventsRequest = named(
  "RedeliverEventsRequest",
  Type.Object(
    {
      eventIds: Type.Array(Type.String({ examples: ["evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e_completed"] }), {
        minItems: 1,
        maxItems: maxRedelivered,
      }),
    },
    closed,
  ),
);

export const ReplayEventsRequest = named(
  "ReplayEventsRequest",
  Type.Object(
    {
      after: Type.Optional(cursor("Events behind this cursor; by default from the oldest that is kept.")),
      until: Type.Optional(cursor("The last event; by default as far as the endpoint has come.")),
    },
    closed,
  ),
);

export const webhookRequestSchemas: readonly TSchema[] = [
  CreateWebhookEndpointRequest,
  UpdateWebhookEndpointRequest,
  RotateWebhookSecretRequest,
  RedeliverEventsRequest,
  ReplayEventsRequest,
];

export const WebhookEndpoint = named(
  "WebhookEndpoint",
  Type.Object({
    endpointId: uuid("The endpoint."),
    url,
    description: Type.String(),
    types,
    includeExternalId,
    status: oneOf(enumWords(WebhookEndpointStatusSchema)),
    disabledReason: nullable(oneOf(enumWords(WebhookDisabledReasonSchema))),
    createdAt: dateTime("When it was made."),
    sequence: cursor("Events up to this sequence were delivered or parked."),
    failures: Type.Integer({ description: "Deliveries that failed since the last success." }),
    failingSince: nullable(dateTime("Since when; null if the last one succeeded.")),
    replay: nullable(
      Type.Object({
        after: cursor("Events up to this sequence were delivered once more."),
        until: cursor("The last one."),
      }),
    ),
  }),
);

const secret = Type.String({
  description: "Verifies signatures. It is in this response and nowhere else.",
  examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
});

export const CreatedWebhookEndpoint = named(
  "CreatedWebhookEndpoint",
  Type.Object({ endpoint: ref(WebhookEndpoint), secret }),
);

export const WebhookEndpoints = named("WebhookEndpoints", Type.Object({ endpoints: Type.Array(ref(WebhookEndpoint)) }));

export const RotatedWebhookSecret = named(
  "RotatedWebhookSecret",
  Type.Object({ secret, previousEndAt: dateTime("When the secrets before end.") }),
);

export const WebhookTestResult = named("WebhookTestResult", Type.Object({ outcome, status, error, tookMs }));

export const WebhookAttempts = named(
  "WebhookAttempts",
  Type.Object({
    attempts: Type.Array(
      Type.Object({
        sequence: cursor("Its event."),
        sessionId: nullable(uuid("The session; null if events expired before they were delivered.")),
        attempt: Type.Integer({ description: "1 for the first one." }),
        at: dateTime("When it ended."),
        outcome,
        status,
        error,
        tookMs,
      }),
    ),
    next: nullable(cursor("`after` of the next request; null after the last page.")),
  }),
);

export const ParkedEvents = named(
  "ParkedEvents",
  Type.Object({
    events: Type.Array(
      Type.Object({
        eventId: nullable(Type.String({ description: "Null if the event is no longer kept." })),
        sequence: cursor("Its place in the log."),
        sessionId: uuid("The session."),
        attempts: Type.Integer({ description: "So far." }),
        state: oneOf(enumWords(ParkedEventStateSchema)),
        nextAt: nullable(dateTime("When it is tried next.")),
        deadAt: nullable(dateTime("Since when it is not tried any more.")),
      }),
    ),
    next: nullable(cursor("`after` of the next request; null after the last page.")),
  }),
);

export const RedeliveredEvents = named(
  "RedeliveredEvents",
  Type.Object({ redelivered: Type.Integer({ description: "Events that are still kept." }) }),
);

export const WebhookTest = named(
  "WebhookTest",
  Type.Object({
    id: Type.String(),
    type: oneOf(["webhook.test"]),
    timestamp: dateTime("When it was sent."),
    data: Type.Object({ endpointId: uuid("The endpoint.") }),
  }),
);

export const webhookSchemas: readonly TSchema[] = [
  WebhookEndpoint,
  CreatedWebhookEndpoint,
  WebhookEndpoints,
  RotatedWebhookSecret,
  WebhookTestResult,
  WebhookAttempts,
  ParkedEvents,
  RedeliveredEvents,
  WebhookTest,
];
