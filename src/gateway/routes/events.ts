// The route of the feed of events.
import type { FastifyInstance } from "fastify";
import { maxEventPageSize, maxEventWaitSeconds } from "../../rules/event-query.ts";
import type { CoreClient } from "../core/client.ts";
import { toEvent } from "../json/events.ts";
import { operations } from "../openapi/operations.ts";
import { queryChoice, queryInteger, queryList, queryText } from "./query.ts";
import { addRoute } from "./route.ts";

/** The longest wait, and the time that any call has. */
const timeoutMs = maxEventWaitSeconds * 1_000 + 10_000;

/** Adds the route of the feed. */
export function addEventRoutes(app: FastifyInstance, client: CoreClient): void {
  addRoute(app, operations.listEvents, async (request, reply) => {
    const read = () => ({
      after: queryText(request, "after") ?? "",
      pageSize: queryInteger(request, "limit", 1, maxEventPageSize) ?? 0,
      waitSeconds: queryInteger(request, "wait", 0, maxEventWaitSeconds) ?? 0,
      types: queryList(request, "types"),
      includeExternalId: queryChoice(request, "include", ["externalId"]) === "externalId",
    });
    const { events, next, atEnd } = await client.call(operations.listEvents.rpc, request, reply, read, timeoutMs);
    return { events: events.map(toEvent), next, atEnd };
  });
}
