// REST operations 6 and 8: persons.
import type { FastifyInstance } from "fastify";
import type { Caller } from "../core/client.ts";
import { toDateTime, toResults } from "../json/sessions.ts";
import { operations } from "../openapi/operations.ts";
import { externalIdOf, productOf } from "./path-params.ts";
import { addRoute } from "./route.ts";

/** Adds the routes of persons. */
export function addSubjectRoutes(app: FastifyInstance, caller: Caller): void {
  const { getLatestResults, eraseSubject } = operations;

  addRoute(app, caller, getLatestResults, async (request) => {
    const message = { product: productOf(request), externalId: externalIdOf(request) };
    const { externalId, sessionId, completedAt, results } = await caller.call(getLatestResults.rpc, request, message);
    return { subject: { externalId }, sessionId, completedAt: toDateTime(completedAt), results: toResults(results) };
  });

  addRoute(app, caller, eraseSubject, async (request, reply) => {
    const message = { product: productOf(request), externalId: externalIdOf(request) };
    await caller.call(eraseSubject.rpc, request, message);
    return reply.code(204).send();
  });
}
