// The route of the feed of events.
import type { FastifyInstance } from "fastify";
import { ListEventsResponseSchema } from "../../gen/assessment/v1/event_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { maxEventPageSize, maxEventWaitSeconds } from "../../kernel/requests/event-query.ts";
import { operations } from "../openapi/operations.ts";
import type { CoreClient } from "../shared/client.ts";
import { integerOf, listOf, textOf, wordOf } from "../shared/query.ts";
import { addRoute, outsideBody } from "../shared/route.ts";

/** The longest wait, and the time that any call has. */
const timeoutMs = maxEventWaitSeconds * 1_000 + 10_000;

const pageJson = toJson(ListEventsResponseSchema);

/** Adds the route of the feed. */
export function addEventRoutes(app: FastifyInstance, client: CoreClient): void {
  addRoute(
    app,
    operations.listEvents,
    async (request, reply) => {
      const read = () => ({
        after: textOf(request, "after") ?? "",
        pageSize: integerOf(request, "limit", 1, maxEventPageSize) ?? 0,
        waitSeconds: integerOf(request, "wait", 0, maxEventWaitSeconds) ?? 0,
        types: listOf(request, "types"),
        includeExternalId: wordOf(request, "include", ["externalId"]) === "externalId",
      });
      const { rpc } = operations.listEvents;
      const page = await client.call(rpc, request, reply, read, timeoutMs);
      return pageJson(page);
    },
    outsideBody,
  );
}
