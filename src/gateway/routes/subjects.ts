// The routes of persons.
import type { FastifyInstance } from "fastify";
import { ChangeSchema } from "../../gen/assessment/v1/change_pb.ts";
import type { CompletedSessionReference } from "../../gen/assessment/v1/subject_service_pb.ts";
import { messageToJson } from "../../http/message-json.ts";
import { toQuality } from "../../values-bridge/json/quality.ts";
import { toResults } from "../../values-bridge/json/results.ts";
import type { CoreClient } from "../core/client.ts";
import { toDateTime } from "../json/sessions.ts";
import { operations } from "../openapi/operations.ts";
import { subjectOf } from "./path-params.ts";
import { textOf, truthValueOf } from "./query.ts";
import { addRoute } from "./route.ts";

/** Adds the routes of persons. */
export function addSubjectRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getLatestResults, getChange, eraseSubject } = operations;

  addRoute(app, getLatestResults, async (request, reply) => {
    const latest = await client.call(getLatestResults.rpc, request, reply, () => ({
      ...subjectOf(request),
      quality: truthValueOf(request, "quality"),
    }));
    const { externalId, sessionId, completedAt, results, quality } = latest;
    return {
      subject: { externalId },
      sessionId,
      completedAt: toDateTime(completedAt),
      results: toResults(results),
      ...(quality === undefined ? {} : { quality: toQuality(quality) }),
    };
  });

  addRoute(app, getChange, async (request, reply) => {
    const found = await client.call(getChange.rpc, request, reply, () => {
      const [from, to] = [textOf(request, "from"), textOf(request, "to")];
      return { ...subjectOf(request), ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    });
    const { externalId, from, to, change } = found;
    return {
      subject: { externalId },
      from: toReference(from),
      to: toReference(to),
      change: change && messageToJson(ChangeSchema, change),
    };
  });

  addRoute(app, eraseSubject, async (request, reply) => {
    await client.call(eraseSubject.rpc, request, reply, () => subjectOf(request));
    return reply.code(204).send();
  });
}

function toReference(reference: CompletedSessionReference | undefined) {
  return reference && { sessionId: reference.sessionId, completedAt: toDateTime(reference.completedAt) };
}
