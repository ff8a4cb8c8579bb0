// The routes of webhook endpoints.
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  ParkedEventState,
  WebhookOutcome,
  WebhookResume,
  WebhookStart,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import {
  type EndpointSettings,
  endpointSettingsFaults,
  maxWebhookPageSize,
} from "../../kernel/requests/webhook-request.ts";
import { toDateTime } from "../sessions/session-json.ts";
import { BodyReader } from "../shared/body.ts";
import type { CoreClient } from "../shared/client.ts";
import { endpointOf } from "../shared/path-params.ts";
import { integerOf, ofQuery, textOf, wordOf } from "../shared/query.ts";
import { addRoute } from "../shared/route.ts";
import { toAttempt, toEndpoint, toParked, toTestResult } from "./webhook-json.ts";
import { webhookOperations as operations } from "./webhook-operations.ts";
import {
  CreateWebhookEndpointRequest,
  RedeliverEventsRequest,
  ReplayEventsRequest,
  RotateWebhookSecretRequest,
  UpdateWebhookEndpointRequest,
} from "./webhook-schemas.ts";

const createBody = new BodyReader(CreateWebhookEndpointRequest);
const updateBody = new BodyReader(UpdateWebhookEndpointRequest);
const rotateBody = new BodyReader(RotateWebhookSecretRequest);
const redeliverBody = new BodyReader(RedeliverEventsRequest);
const replayBody = new BodyReader(ReplayEventsRequest);

const starts = { now: WebhookStart.NOW, oldest: WebhookStart.OLDEST } as const;
const resumes = { stopped_at: WebhookResume.STOPPED_AT, now: WebhookResume.NOW } as const;
const outcomes = { succeeded: WebhookOutcome.SUCCEEDED, failed: WebhookOutcome.FAILED } as const;
const states = {
  retrying: ParkedEventState.RETRYING,
  waiting: ParkedEventState.WAITING,
  dead: ParkedEventState.DEAD,
} as const;
const maxInt32 = 2 ** 31 - 1;

/** Adds the routes of webhook endpoints. */
export function addWebhookRoutes(app: FastifyInstance, client: CoreClient): void {
  addEndpointRoutes(app, client);
  addDeliveryRoutes(app, client);
}

function addEndpointRoutes(app: FastifyInstance, client: CoreClient): void {
  const { budget } = client;

  addRoute(app, operations.createWebhookEndpoint, async (request, reply) => {
    const { rpc } = operations.createWebhookEndpoint;
    const { endpoint, secret } = await client.call(rpc, request, reply, async (limits) => {
      const { start = "now", ...body } = await createBody.read(request, limits, budget);
      refuseFaults(body);
      return { ...body, start: starts[start] };
    });
    reply.code(201).header("location", `/v1/webhook-endpoints/${endpoint?.endpointId ?? ""}`);
    return { endpoint: toEndpoint(endpoint), secret };
  });

  addRoute(app, operations.listWebhookEndpoints, async (request, reply) => {
    const { endpoints } = await client.call(operations.listWebhookEndpoints.rpc, request, reply, () => ({}));
    return { endpoints: endpoints.map(toEndpoint) };
  });

  addRoute(app, operations.getWebhookEndpoint, async (request, reply) => {
    const { rpc } = operations.getWebhookEndpoint;
    return toEndpoint((await client.call(rpc, request, reply, () => endpointOf(request))).endpoint);
  });

  addRoute(app, operations.updateWebhookEndpoint, async (request, reply) => {
    const { endpoint } = await client.call(operations.updateWebhookEndpoint.rpc, request, reply, async (limits) => {
      const address = endpointOf(request);
      const { types, resume = "stopped_at", ...body } = await updateBody.read(request, limits, budget);
      refuseFaults({ ...body, types });
      const listed = types === undefined ? {} : { types: { values: types } };
      return { ...address, ...body, ...listed, resume: resumes[resume] };
    });
    return toEndpoint(endpoint);
  });

  addRoute(app, operations.deleteWebhookEndpoint, async (request, reply) => {
    await client.call(operations.deleteWebhookEndpoint.rpc, request, reply, () => endpointOf(request));
    return reply.code(204).send();
  });

  addRoute(app, operations.rotateWebhookSecret, async (request, reply) => {
    const { rpc } = operations.rotateWebhookSecret;
    const { secret, previousEndAt } = await client.call(rpc, request, reply, async (limits) => {
      const address = endpointOf(request);
      const { overlapSeconds } = (await rotateBody.readOptional(request, limits, budget)) ?? {};
      if (overlapSeconds === undefined) return address;
      // A number that no int32 can hold is out of every range.
      return { ...address, overlapSeconds: Math.abs(overlapSeconds) > maxInt32 ? -1 : overlapSeconds };
    });
    return { secret, previousEndAt: toDateTime(previousEndAt) };
  });

  addRoute(app, operations.testWebhookEndpoint, async (request, reply) => {
    const { rpc } = operations.testWebhookEndpoint;
    return toTestResult(await client.call(rpc, request, reply, () => endpointOf(request)));
  });
}

function addDeliveryRoutes(app: FastifyInstance, client: CoreClient): void {
  const { budget } = client;

  addRoute(app, operations.redeliverEvents, async (request, reply) => {
    const { redelivered } = await client.call(operations.redeliverEvents.rpc, request, reply, async (limits) => ({
      ...endpointOf(request),
      ...(await redeliverBody.read(request, limits, budget)),
    }));
    reply.code(202);
    return { redelivered };
  });

  addRoute(app, operations.replayEvents, async (request, reply) => {
    const { endpoint } = await client.call(operations.replayEvents.rpc, request, reply, async (limits) => ({
      ...endpointOf(request),
      ...(await replayBody.readOptional(request, limits, budget)),
    }));
    reply.code(202);
    return toEndpoint(endpoint);
  });

  addRoute(app, operations.cancelReplay, async (request, reply) => {
    const { rpc } = operations.cancelReplay;
    return toEndpoint((await client.call(rpc, request, reply, () => endpointOf(request))).endpoint);
  });

  addRoute(app, operations.listWebhookAttempts, async (request, reply) => {
    const read = () => {
      const outcome = wordOf(request, "outcome", ["succeeded", "failed"]);
      return { ...pageOf(request), ...(outcome === undefined ? {} : { outcome: outcomes[outcome] }) };
    };
    const { rpc } = operations.listWebhookAttempts;
    const { attempts, next } = await client.call(rpc, request, reply, read).catch((error: unknown) => {
      throw ofQuery(error);
    });
    return { attempts: attempts.map(toAttempt), next: next || null };
  });

  addRoute(app, operations.listParkedEvents, async (request, reply) => {
    const read = () => {
      const state = wordOf(request, "state", ["retrying", "waiting", "dead"]);
      return { ...pageOf(request), ...(state === undefined ? {} : { state: states[state] }) };
    };
    const { rpc } = operations.listParkedEvents;
    const { events, next } = await client.call(rpc, request, reply, read).catch((error: unknown) => {
      throw ofQuery(error);
    });
    return { events: events.map(toParked), next: next || null };
  });
}

function pageOf(request: FastifyRequest) {
  return {
    ...endpointOf(request),
    after: textOf(request, "after") ?? "",
    pageSize: integerOf(request, "limit", 1, maxWebhookPageSize) ?? 0,
  };
}

/** Whatever a message would lose or change on its way to a core elsewhere is refused here. */
function refuseFaults(settings: EndpointSettings): void {
  const faults = endpointSettingsFaults(settings);
  if (faults.length > 0) throw invalidRequest(faults);
}
