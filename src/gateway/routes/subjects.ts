// REST operations 6 and 8: persons.
import type { FastifyInstance } from "fastify";
import { toResults } from "../../values-bridge/json/results.ts";
import type { CoreClient } from "../core/client.ts";
import { toDateTime } from "../json/sessions.ts";
import { operations } from "../openapi/operations.ts";
import { externalIdOf, productOf } from "./path-params.ts";
import { addRoute } from "./route.ts";

/** Adds the routes of persons. */
export function addSubjectRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getLatestResults, eraseSubject } = operations;

  addRoute(app, client, getLatestResults, async (request) => {
    const message = { product: productOf(request), externalId: externalIdOf(request) };
    const { externalId, sessionId, completedAt, results } = await client.call(getLatestResults.rpc, request, message);
    return { subject: { externalId }, sessionId, completedAt: toDateTime(completedAt), results: toResults(results) };
  });

  addRoute(app, client, eraseSubject, async (request, reply) => {
    const message = { product: productOf(request), externalId: externalIdOf(request) };
    await client.call(eraseSubject.rpc, request, message);
    return reply.code(204).send();
  });
}
