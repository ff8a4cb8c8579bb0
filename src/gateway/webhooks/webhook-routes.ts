// The routes of webhook endpoints.

import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  CreateWebhookEndpointRequestSchema,
  CreateWebhookEndpointResponseSchema,
  ListParkedEventsResponseSchema,
  ListWebhookAttemptsResponseSchema,
  ListWebhookEndpointsResponseSchema,
  ParkedEventState,
  RedeliverEventsRequestSchema,
  RedeliverEventsResponseSchema,
  ReplayEventsRequestSchema,
  RotateWebhookSecretRequestSchema,
  RotateWebhookSecretResponseSchema,
  TestWebhookEndpointResponseSchema,
  UpdateWebhookEndpointRequestSchema,
  WebhookEndpointSchema,
  WebhookOutcome,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { byWord } from "../../kernel/json/members.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import {
  type EndpointSettings,
  endpointSettingsViolations,
  maxWebhookPageSize,
} from "../../kernel/requests/webhook-request.ts";
import { BodyReader } from "../shared/body.ts";
import { type CoreClient, present } from "../shared/client.ts";
import { endpointOf } from "../shared/path-params.ts";
import { integerOf, textOf, wordOf } from "../shared/query.ts";
import { addRoute, outsideBody } from "../shared/route.ts";
import { webhookOperations as operations } from "./webhook-operations.ts";

const createBody = new BodyReader(CreateWebhookEndpointRequestSchema);
const updateBody = new BodyReader(UpdateWebhookEndpointRequestSchema);
const rotateBody = new BodyReader(RotateWebhookSecretRequestSchema);
const redeliverBody = new BodyReader(RedeliverEventsRequestSchema);
const replayBody = new BodyReader(ReplayEventsRequestSchema);

const createdJson = toJson(CreateWebhookEndpointResponseSchema);
const endpointJson = toJson(WebhookEndpointSchema);
const endpointsJson = toJson(ListWebhookEndpointsResponseSchema);
const secretJson = toJson(RotateWebhookSecretResponseSchema);
const testJson = toJson(TestWebhookEndpointResponseSchema);
const redeliveredJson = toJson(RedeliverEventsResponseSchema);
const attemptsJson = toJson(ListWebhookAttemptsResponseSchema);
const parkedJson = toJson(ListParkedEventsResponseSchema);

const outcomes = byWord(WebhookOutcome);
const states = byWord(ParkedEventState);

/** Adds the routes of webhook endpoints. */
export function addWebhookRoutes(app: FastifyInstance, client: CoreClient): void {
  addEndpointRoutes(app, client);
  addDeliveryRoutes(app, client);
}

function addEndpointRoutes(app: FastifyInstance, client: CoreClient): void {
  const { budget } = client;

  addRoute(app, operations.createWebhookEndpoint, async (request, reply) => {
    const { rpc } = operations.createWebhookEndpoint;
    const created = await client.call(rpc, request, reply, async (limits) => {
      const body = await createBody.read(request, limits, budget);
      refuseViolations(body);
      return body;
    });
    reply.code(201).header("location", `/v1/webhook-endpoints/${present(created.endpoint).endpointId}`);
    return createdJson(created);
  });

  addRoute(app, operations.listWebhookEndpoints, async (request, reply) => {
    return endpointsJson(await client.call(operations.listWebhookEndpoints.rpc, request, reply, () => ({})));
  });

  addRoute(app, operations.getWebhookEndpoint, async (request, reply) => {
    const { rpc } = operations.getWebhookEndpoint;
    return endpointJson(present((await client.call(rpc, request, reply, () => endpointOf(request))).endpoint));
  });

  addRoute(app, operations.updateWebhookEndpoint, async (request, reply) => {
    const { endpoint } = await client.call(operations.updateWebhookEndpoint.rpc, request, reply, async (limits) => {
      const address = endpointOf(request);
      const body = await updateBody.read(request, limits, budget);
      refuseViolations({ ...body, types: body.types?.values });
      return { ...body, ...address };
    });
    return endpointJson(present(endpoint));
  });

  addRoute(app, operations.deleteWebhookEndpoint, async (request, reply) => {
    await client.call(operations.deleteWebhookEndpoint.rpc, request, reply, () => endpointOf(request));
    return reply.code(204).send();
  });

  addRoute(app, operations.rotateWebhookSecret, async (request, reply) => {
    const { rpc } = operations.rotateWebhookSecret;
    const rotated = await client.call(rpc, request, reply, async (limits) => {
      const address = endpointOf(request);
      return { ...(await rotateBody.readOptional(request, limits, budget)), ...address };
    });
    return secretJson(rotated);
  });

  addRoute(app, operations.testWebhookEndpoint, async (request, reply) => {
    const { rpc } = operations.testWebhookEndpoint;
    return testJson(await client.call(rpc, request, reply, () => endpointOf(request)));
  });
}

function addDeliveryRoutes(app: FastifyInstance, client: CoreClient): void {
  const { budget } = client;

  addRoute(app, operations.redeliverEvents, async (request, reply) => {
    const redelivered = await client.call(operations.redeliverEvents.rpc, request, reply, async (limits) => ({
      ...endpointOf(request),
      ...(await redeliverBody.read(request, limits, budget)),
    }));
    reply.code(202);
    return redeliveredJson(redelivered);
  });

  addRoute(app, operations.replayEvents, async (request, reply) => {
    const { endpoint } = await client.call(operations.replayEvents.rpc, request, reply, async (limits) => ({
      ...endpointOf(request),
      ...(await replayBody.readOptional(request, limits, budget)),
    }));
    reply.code(202);
    return endpointJson(present(endpoint));
  });

  addRoute(app, operations.cancelReplay, async (request, reply) => {
    const { rpc } = operations.cancelReplay;
    return endpointJson(present((await client.call(rpc, request, reply, () => endpointOf(request))).endpoint));
  });

  addRoute(
    app,
    operations.listWebhookAttempts,
    async (request, reply) => {
      const read = () => {
        const outcome = wordOf(request, "outcome", ["succeeded", "failed"]);
        return { ...pageOf(request), ...(outcome === undefined ? {} : { outcome: outcomes[outcome] }) };
      };
      const { rpc } = operations.listWebhookAttempts;
      const page = await client.call(rpc, request, reply, read);
      return attemptsJson(page);
    },
    outsideBody,
  );

  addRoute(
    app,
    operations.listParkedEvents,
    async (request, reply) => {
      const read = () => {
        const state = wordOf(request, "state", ["retrying", "waiting", "dead"]);
        return { ...pageOf(request), ...(state === undefined ? {} : { state: states[state] }) };
      };
      const { rpc } = operations.listParkedEvents;
      const page = await client.call(rpc, request, reply, read);
      return parkedJson(page);
    },
    outsideBody,
  );
}

function pageOf(request: FastifyRequest) {
  return {
    ...endpointOf(request),
    after: textOf(request, "after") ?? "",
    pageSize: integerOf(request, "limit", 1, maxWebhookPageSize) ?? 0,
  };
}

/** Whatever a message would lose or change on its way to a core elsewhere is refused here. */
function refuseViolations(settings: EndpointSettings): void {
  const violations = endpointSettingsViolations(settings);
  if (violations.length > 0) throw invalidRequest(violations);
}
