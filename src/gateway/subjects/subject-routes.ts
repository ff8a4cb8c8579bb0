// The routes of persons.
import type { FastifyInstance } from "fastify";
import {
  GetChangeResponseSchema,
  GetLatestResultsResponseSchema,
  ListSubjectSessionsResponseSchema,
} from "../../gen/assessment/v1/subject_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { maxSessionPageSize } from "../../kernel/requests/session-list.ts";
import { operations } from "../openapi/operations.ts";
import type { CoreClient } from "../shared/client.ts";
import { subjectOf } from "../shared/path-params.ts";
import { integerOf, textOf, truthValueOf } from "../shared/query.ts";
import { addRoute, outsideBody } from "../shared/route.ts";

const latestJson = toJson(GetLatestResultsResponseSchema);
const changeJson = toJson(GetChangeResponseSchema);
const pageJson = toJson(ListSubjectSessionsResponseSchema);

/** Adds the routes of persons. */
export function addSubjectRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getLatestResults, getChange, listSubjectSessions, eraseSubject } = operations;

  addRoute(app, getLatestResults, async (request, reply) => {
    const latest = await client.call(getLatestResults.rpc, request, reply, () => ({
      ...subjectOf(request),
      quality: truthValueOf(request, "quality"),
    }));
    return latestJson(latest);
  });

  addRoute(app, getChange, async (request, reply) => {
    const found = await client.call(getChange.rpc, request, reply, () => {
      const [from, to] = [textOf(request, "from"), textOf(request, "to")];
      return { ...subjectOf(request), from, to };
    });
    return changeJson(found);
  });

  addRoute(
    app,
    listSubjectSessions,
    async (request, reply) => {
      const read = () => ({
        ...subjectOf(request),
        pageSize: integerOf(request, "limit", 1, maxSessionPageSize) ?? 0,
        after: textOf(request, "after") ?? "",
      });
      const page = await client.call(listSubjectSessions.rpc, request, reply, read);
      return pageJson(page);
    },
    outsideBody,
  );

  addRoute(app, eraseSubject, async (request, reply) => {
    await client.call(eraseSubject.rpc, request, reply, () => subjectOf(request));
    return reply.code(204).send();
  });
}
