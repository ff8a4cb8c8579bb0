// The operations of webhook endpoints.

import {
  CreateWebhookEndpointRequestSchema,
  CreateWebhookEndpointResponseSchema,
  ListParkedEventsResponseSchema,
  ListWebhookAttemptsResponseSchema,
  ListWebhookEndpointsResponseSchema,
  ParkedEventStateSchema,
  RedeliverEventsRequestSchema,
  RedeliverEventsResponseSchema,
  ReplayEventsRequestSchema,
  RotateWebhookSecretRequestSchema,
  RotateWebhookSecretResponseSchema,
  TestWebhookEndpointResponseSchema,
  UpdateWebhookEndpointRequestSchema,
  WebhookEndpointSchema,
  WebhookOutcomeSchema,
  WebhookService,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { integer, type Members, oneOf, optional, string } from "../../kernel/json/json-schema.ts";
import { enumWords } from "../../kernel/json/members.ts";
import { maxWebhookPageSize } from "../../kernel/requests/webhook-request.ts";
import { operation } from "../openapi/operation.ts";

const { method } = WebhookService;
const endpoints = "/v1/webhook-endpoints";
const endpoint = `${endpoints}/:endpointId`;
const tag = "Webhooks";

const pageQuery = (filter: Members) => ({
  after: optional(string({ description: "The `next` of the response before." })),
  limit: optional(integer({ minimum: 1, maximum: maxWebhookPageSize, default: 100, description: "Most entries." })),
  ...filter,
});
const needsSessions = "Needs `sessions:read` as well where its events name persons.";
const theEndpoint = { status: 200, description: "The endpoint.", schema: WebhookEndpointSchema };

export const webhookOperations = {
  createWebhookEndpoint: operation("POST", endpoints, method.createWebhookEndpoint, {
    tag,
    summary: "Make a webhook endpoint",
    description: "Deliveries are signed by Standard Webhooks with the secret of the response.",
    body: CreateWebhookEndpointRequestSchema,
    success: {
      status: 201,
      description: "The endpoint and its secret.",
      schema: CreateWebhookEndpointResponseSchema,
      headers: { Location: "Path of the endpoint." },
    },
    reasons: ["endpoint_exists", "limit_reached", "webhooks_off"],
  }),
  listWebhookEndpoints: operation("GET", endpoints, method.listWebhookEndpoints, {
    tag,
    summary: "List webhook endpoints",
    success: { status: 200, description: "All of them, the oldest first.", schema: ListWebhookEndpointsResponseSchema },
  }),
  getWebhookEndpoint: operation("GET", endpoint, method.getWebhookEndpoint, {
    tag,
    summary: "Get a webhook endpoint",
    success: theEndpoint,
  }),
  updateWebhookEndpoint: operation("PATCH", endpoint, method.updateWebhookEndpoint, {
    tag,
    summary: "Change a webhook endpoint",
    description:
      "What is absent stays as it is. A new URL, and enabling, end its streak of failures. " +
      "Where its events name persons after the change, a URL, types, `enabled: true` and `includeExternalId: true` need " +
      "`sessions:read` as well.",
    body: UpdateWebhookEndpointRequestSchema,
    success: theEndpoint,
    reasons: ["endpoint_exists", "conflict"],
  }),
  deleteWebhookEndpoint: operation("DELETE", endpoint, method.deleteWebhookEndpoint, {
    tag,
    summary: "Remove a webhook endpoint",
    success: { status: 204, description: "It gets nothing any more." },
  }),
  rotateWebhookSecret: operation("POST", `${endpoint}/rotate-secret`, method.rotateWebhookSecret, {
    tag,
    summary: "Give a webhook endpoint a further secret",
    description: `Deliveries are signed with both until the overlap is over. It takes a second, so that those which begin after the response are signed as it says. The body is optional. ${needsSessions}`,
    body: RotateWebhookSecretRequestSchema,
    isBodyOptional: true,
    success: { status: 200, description: "The secret.", schema: RotateWebhookSecretResponseSchema },
    reasons: ["webhooks_off"],
  }),
  testWebhookEndpoint: operation("POST", `${endpoint}/test`, method.testWebhookEndpoint, {
    tag,
    summary: "Send a webhook endpoint a test",
    description: `One \`webhook.test\`, which is in no log. ${needsSessions}`,
    success: { status: 200, description: "What became of it.", schema: TestWebhookEndpointResponseSchema },
    reasons: ["webhooks_off"],
  }),
  redeliverEvents: operation("POST", `${endpoint}/redeliver`, method.redeliverEvents, {
    tag,
    summary: "Deliver events once more",
    description: needsSessions,
    body: RedeliverEventsRequestSchema,
    success: {
      status: 202,
      description: "They are delivered as soon as possible.",
      schema: RedeliverEventsResponseSchema,
    },
    reasons: ["endpoint_disabled"],
  }),
  replayEvents: operation("POST", `${endpoint}/replay`, method.replayEvents, {
    tag,
    summary: "Deliver a range of the log once more",
    description: `Beside what is new. The body is optional. ${needsSessions}`,
    body: ReplayEventsRequestSchema,
    isBodyOptional: true,
    success: { status: 202, description: "The endpoint with its replay.", schema: WebhookEndpointSchema },
    reasons: ["endpoint_disabled", "replay_running", "events_expired"],
  }),
  cancelReplay: operation("DELETE", `${endpoint}/replay`, method.cancelReplay, {
    tag,
    summary: "End a replay",
    success: { status: 200, description: "The endpoint without a replay.", schema: WebhookEndpointSchema },
  }),
  listWebhookAttempts: operation("GET", `${endpoint}/attempts`, method.listWebhookAttempts, {
    tag,
    summary: "List attempts of deliveries",
    description: "The latest first. Successes are kept for 3 days, failures for 30.",
    query: pageQuery({
      outcome: optional(oneOf(enumWords(WebhookOutcomeSchema), { description: "Only those that ended so." })),
    }),
    success: { status: 200, description: "Attempts.", schema: ListWebhookAttemptsResponseSchema },
    reasons: ["invalid_request"],
  }),
  listParkedEvents: operation("GET", `${endpoint}/parked`, method.listParkedEvents, {
    tag,
    summary: "List events that were not taken",
    query: pageQuery({
      state: optional(oneOf(enumWords(ParkedEventStateSchema), { description: "Only those in this state." })),
    }),
    success: { status: 200, description: "Parked events by sequence.", schema: ListParkedEventsResponseSchema },
    reasons: ["invalid_request"],
  }),
} as const;
