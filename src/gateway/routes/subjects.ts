// The routes of persons.
import type { FastifyInstance } from "fastify";
import { toResults } from "../../values-bridge/json/results.ts";
import type { CoreClient } from "../core/client.ts";
import { toDateTime } from "../json/sessions.ts";
import { operations } from "../openapi/operations.ts";
import { subjectOf } from "./path-params.ts";
import { addRoute } from "./route.ts";

/** Adds the routes of persons. */
export function addSubjectRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getLatestResults, eraseSubject } = operations;

  addRoute(app, getLatestResults, async (request, reply) => {
    const latest = await client.call(getLatestResults.rpc, request, reply, () => subjectOf(request));
    const { externalId, sessionId, completedAt, results } = latest;
    return { subject: { externalId }, sessionId, completedAt: toDateTime(completedAt), results: toResults(results) };
  });

  addRoute(app, eraseSubject, async (request, reply) => {
    await client.call(eraseSubject.rpc, request, reply, () => subjectOf(request));
    return reply.code(204).send();
  });
}
