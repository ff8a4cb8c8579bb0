// Calls of webhook endpoints for the transports: one list of where they are over REST, and how their messages read.
import {
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { WebhookService } from "../../../src/gen/assessment/v1/webhook_service_pb.ts";

export type WebhookCall = keyof typeof WebhookService.method;

/** What a call is given: the members of the REST body or query, and `endpointId`. */
export type WebhookInput = { readonly endpointId?: string; readonly [member: string]: JsonValue | undefined };

const base = "/v1/webhook-endpoints";
const routes: Readonly<Record<WebhookCall, readonly [method: string, path: string]>> = {
  createWebhookEndpoint: ["POST", ""],
  listWebhookEndpoints: ["GET", ""],
  getWebhookEndpoint: ["GET", "/:id"],
  updateWebhookEndpoint: ["PATCH", "/:id"],
  deleteWebhookEndpoint: ["DELETE", "/:id"],
  rotateWebhookSecret: ["POST", "/:id/rotate-secret"],
  testWebhookEndpoint: ["POST", "/:id/test"],
  listWebhookAttempts: ["GET", "/:id/attempts"],
  listParkedEvents: ["GET", "/:id/parked"],
  redeliverEvents: ["POST", "/:id/redeliver"],
  replayEvents: ["POST", "/:id/replay"],
  cancelReplay: ["DELETE", "/:id/replay"],
};

/** The REST request of a call. */
export function webhookRequest(call: WebhookCall, { endpointId = "", ...input }: WebhookInput) {
  const [method, path] = routes[call];
  const at = base + path.replace(":id", encodeURIComponent(endpointId));
  if (method === "POST" || method === "PATCH") {
    return {
      method,
      path: at,
      body: Object.keys(input).length === 0 && call !== "createWebhookEndpoint" ? undefined : input,
    };
  }
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { method, path: query.size === 0 ? at : `${at}?${query}`, body: undefined };
}

const enumPrefixes = {
  start: "WEBHOOK_START_",
  resume: "WEBHOOK_RESUME_",
  outcome: "WEBHOOK_OUTCOME_",
  state: "PARKED_EVENT_STATE_",
} as const;

/** The message of a call. */
export function webhookMessage(call: WebhookCall, input: WebhookInput): Message {
  const { types, limit, ...others } = input;
  const members = Object.entries(others).map(([name, value]): [string, JsonValue | undefined] => {
    const prefix = enumPrefixes[name as keyof typeof enumPrefixes];
    return [name, prefix === undefined ? value : prefix + String(value).toUpperCase()];
  });
  const json = {
    ...Object.fromEntries(members),
    ...(types === undefined ? {} : { types: call === "updateWebhookEndpoint" ? { values: types } : types }),
    ...(limit === undefined ? {} : { pageSize: limit }),
  } as JsonObject;
  return fromJson((WebhookService.method[call] as DescMethodUnary).input, json);
}

/** What a call answered, in the words of REST. */
export function webhookBody(call: WebhookCall, message: Message): unknown {
  const json = toJson((WebhookService.method[call] as DescMethodUnary).output, message, { alwaysEmitImplicit: true });
  const plain = inWords(json) as Record<string, unknown>;
  const isEndpoint = ["getWebhookEndpoint", "updateWebhookEndpoint", "replayEvents", "cancelReplay"].includes(call);
  return isEndpoint ? plain.endpoint : plain;
}

function inWords(json: JsonValue): unknown {
  if (Array.isArray(json)) return json.map(inWords);
  if (json !== null && typeof json === "object") {
    return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, inWords(value)]));
  }
  const word =
    /^(?:WEBHOOK_ENDPOINT_(?:STATUS|STATE)|WEBHOOK_DISABLED_REASON|WEBHOOK_OUTCOME|PARKED_EVENT_STATE)_(\w+)$/.exec(
      String(json),
    )?.[1];
  if (word === undefined) return json;
  return word === "UNSPECIFIED" ? null : word.toLowerCase();
}
