// The route of lists of sessions.
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  AnswerProgress,
  AnswerProgressSchema,
  ListSessionsResponseSchema,
  SessionMode,
  SessionModeSchema,
  SessionStatus,
  SessionStatusSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { enumValue, enumWords } from "../../kernel/json/members.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { listTimes, maxSessionPageSize } from "../../kernel/requests/session-list.ts";
import { operations } from "../openapi/operations.ts";
import type { CoreClient } from "../shared/client.ts";
import { productOf } from "../shared/path-params.ts";
import { integerOf, textOf, timeOf, versionOf, wordOf } from "../shared/query.ts";
import { addRoute, outsideBody } from "../shared/route.ts";

const pageJson = toJson(ListSessionsResponseSchema);

/** Adds the route of lists. */
export function addSessionListRoute(app: FastifyInstance, client: CoreClient): void {
  const { listSessions } = operations;
  addRoute(
    app,
    listSessions,
    async (request, reply) => {
      const read = () => ({ product: productOf(request), ...queryOf(request) });
      const page = await client.call(listSessions.rpc, request, reply, read);
      return pageJson(page);
    },
    outsideBody,
  );
}

function queryOf(request: FastifyRequest) {
  const status = wordOf(request, "status", enumWords(SessionStatusSchema));
  const mode = wordOf(request, "mode", enumWords(SessionModeSchema));
  const progress = wordOf(request, "progress", enumWords(AnswerProgressSchema));
  const externalId = textOf(request, "externalId");
  const groupId = textOf(request, "groupId");
  const times = listTimes.flatMap((name) => {
    const time = timeOf(request, name);
    return time === undefined ? [] : [[name, time]];
  });
  return {
    pageSize: integerOf(request, "limit", 1, maxSessionPageSize) ?? 0,
    after: textOf(request, "after") ?? "",
    status: status === undefined ? SessionStatus.UNSPECIFIED : enumValue(SessionStatusSchema, status),
    mode: mode === undefined ? SessionMode.UNSPECIFIED : enumValue(SessionModeSchema, mode),
    progress: progress === undefined ? AnswerProgress.UNSPECIFIED : enumValue(AnswerProgressSchema, progress),
    externalId,
    groupId,
    ...versionOf(request),
    ...Object.fromEntries(times),
  };
}
