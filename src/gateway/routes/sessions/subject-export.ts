// The route of all that is held of a person: one JSON, written while its pages are read.
import { setTimeout } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../../../contract/refusal.ts";
import { turnsBeside } from "../../../contract/turns.ts";
import type { Subject } from "../../../gen/assessment/v1/session_service_pb.ts";
import { recordOf } from "../../../http/request-record.ts";
import type { CoreClient } from "../../core/client.ts";
import { exportText } from "../../exports/export-stream.ts";
import type { OpenExports } from "../../exports/open-exports.ts";
import { subjectExportText } from "../../json/held-sessions.ts";
import { operations } from "../../openapi/operations.ts";
import { subjectOf } from "../parts/path-params.ts";
import { ofQuery, textOf } from "../parts/query.ts";
import { addRoute } from "../parts/route.ts";

/** Adds the route. @param open responses that are being written, those of other exports too */
export function addSubjectExportRoute(app: FastifyInstance, client: CoreClient, open: OpenExports): void {
  const { exportSubject } = operations;
  addRoute(app, exportSubject, async (request, reply) => {
    const page = (after?: string) =>
      client.call(exportSubject.rpc, request, reply, () => ({
        ...subjectOf(request),
        after: after ?? textOf(request, "after") ?? "",
      }));
    const first = await page().catch((error: unknown) => {
      throw ofQuery(error);
    });
    const text = subjectExportText(subjectOf(request).product, known(first.subject));
    reply.type("application/json; charset=utf-8").header("cache-control", "no-store");
    const written = exportText(first, page, text, {
      now: () => performance.now(),
      wait: setTimeout,
      nextTurn: turnsBeside(() => client.isServing),
    });
    return reply.send(open.body(recordOf(request.raw).clientId ?? "", written));
  });
}

function known(subject: Subject | undefined): Subject {
  if (subject === undefined) throw new Refusal("internal", "The service made a mistake.");
  return subject;
}
