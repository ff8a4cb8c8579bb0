// The webhooks of the service in the OpenAPI document.
import type { OpenAPIV3_1 } from "openapi-types";
import { eventTypes } from "../../src/domain/events/event-types.ts";

const headers = {
  "webhook-id": "Id of the event: the same for every attempt.",
  "webhook-timestamp": "When it was sent, in seconds since 1970.",
  "webhook-signature": "One `v1,` signature of Standard Webhooks for each secret that lives, separated by spaces.",
};

export const receivedWebhooks = { name: "Received webhooks", description: "What your endpoints receive." };

/** One webhook for each type of event, and the test. */
export function webhookPayloads(): NonNullable<OpenAPIV3_1.Document["webhooks"]> {
  const ofEvents = eventTypes.map((type) => [type, { post: payload(type, "Event") }]);
  return { ...Object.fromEntries(ofEvents), "webhook.test": { post: payload("webhook.test", "WebhookTest") } };
}

function payload(type: string, schema: string) {
  return {
    operationId: `receive_${type.replace(".", "_")}`,
    // Generators make a class for each tag: with a tag of calls, they would write one class over the other.
    tags: [receivedWebhooks.name],
    summary: `Receive ${type}`,
    security: [],
    parameters: Object.entries(headers).map(([name, description]) => ({
      name,
      in: "header" as const,
      required: true,
      description,
      schema: { type: "string" as const },
    })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
    },
    responses: {
      "2XX": { description: "The event is delivered." },
      "410": { description: "The endpoint no longer exists: the service disables it." },
      default: { description: "It is sent again later." },
    },
  };
}
