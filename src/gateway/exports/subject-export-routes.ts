// The route of all that is held of a person: one JSON, written while its pages are read.
import type { FastifyInstance } from "fastify";
import { operations } from "../openapi/operations.ts";
import type { CoreClient } from "../shared/client.ts";
import { subjectOf } from "../shared/path-params.ts";
import { present } from "../shared/present.ts";
import { textOf } from "../shared/query.ts";
import { addRoute } from "../shared/route.ts";
import type { OpenExports } from "./open-exports.ts";
import { sendExport } from "./send-export.ts";
import { subjectExportText } from "./subject-record-json.ts";

/** Adds the route. @param open responses that are being written, those of other exports too */
export function addSubjectExportRoute(app: FastifyInstance, client: CoreClient, open: OpenExports): void {
  const { exportSubject } = operations;
  addRoute(app, exportSubject, async (request, reply) => {
    const read = (after?: string) =>
      client.call(exportSubject.rpc, request, reply, () => ({
        ...subjectOf(request),
        after: after ?? textOf(request, "after") ?? "",
      }));
    const first = await read();
    const text = subjectExportText(subjectOf(request).product, present(first.subject));
    reply.type("application/json; charset=utf-8");
    return sendExport({ client, open }, request, reply, { first, read, text });
  });
}
