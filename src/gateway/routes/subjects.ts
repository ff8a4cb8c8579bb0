// REST operations 6 and 8: persons.
import type { FastifyInstance } from "fastify";
import { SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import type { Caller } from "../caller.ts";
import { externalIdOf, productOf, requireKnownPath } from "../path.ts";
import { toDateTime, toResults } from "../representations.ts";

/** Adds the routes of persons. */
export function addSubjectRoutes(app: FastifyInstance, caller: Caller): void {
  const rpcs = SubjectService.method;

  const readHooks = [caller.admission(rpcs.getLatestResults), requireKnownPath];
  app.get("/v1/:product/subjects/:externalId/results", { onRequest: readHooks }, async (request) => {
    const message = { product: productOf(request), externalId: externalIdOf(request) };
    const { externalId, sessionId, completedAt, results } = await caller.call(rpcs.getLatestResults, request, message);
    return { subject: { externalId }, sessionId, completedAt: toDateTime(completedAt), results: toResults(results) };
  });

  const eraseHooks = [caller.admission(rpcs.eraseSubject), requireKnownPath];
  app.delete("/v1/:product/subjects/:externalId", { onRequest: eraseHooks }, async (request, reply) => {
    const message = { product: productOf(request), externalId: externalIdOf(request) };
    await caller.call(rpcs.eraseSubject, request, message);
    return reply.code(204).send();
  });
}
