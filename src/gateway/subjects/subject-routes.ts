// The routes of persons.
import type { FastifyInstance } from "fastify";
import { maxSessionPageSize } from "../../kernel/requests/session-list.ts";
import { toQuality } from "../../products/values-bridge/json/quality.ts";
import { toResults } from "../../products/values-bridge/json/results.ts";
import { toPersonChange } from "../norms/norm-json.ts";
import { operations } from "../openapi/operations.ts";
import { toDateTime } from "../sessions/session-json.ts";
import { toSubjectSession } from "../sessions/session-list-json.ts";
import type { CoreClient } from "../shared/client.ts";
import { subjectOf } from "../shared/path-params.ts";
import { integerOf, ofQuery, textOf, truthValueOf } from "../shared/query.ts";
import { addRoute } from "../shared/route.ts";

/** Adds the routes of persons. */
export function addSubjectRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getLatestResults, getChange, listSubjectSessions, eraseSubject } = operations;

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
    return toPersonChange(found);
  });

  addRoute(app, listSubjectSessions, async (request, reply) => {
    const read = () => ({
      ...subjectOf(request),
      pageSize: integerOf(request, "limit", 1, maxSessionPageSize) ?? 0,
      after: textOf(request, "after") ?? "",
    });
    const page = await client.call(listSubjectSessions.rpc, request, reply, read).catch((error: unknown) => {
      throw ofQuery(error);
    });
    const { externalId, sessions, next } = page;
    return { subject: { externalId }, sessions: sessions.map(toSubjectSession), next: next || null };
  });

  addRoute(app, eraseSubject, async (request, reply) => {
    await client.call(eraseSubject.rpc, request, reply, () => subjectOf(request));
    return reply.code(204).send();
  });
}
