// The route of the audit log.
import type { FastifyInstance } from "fastify";
import { maxAuditPageSize } from "../../rules/queries/audit-query.ts";
import type { CoreClient } from "../core/client.ts";
import { toAuditRecord } from "../json/audit.ts";
import { operations } from "../openapi/operations.ts";
import { integerOf, ofQuery, textOf, timeOf } from "./parts/query.ts";
import { addRoute } from "./parts/route.ts";

/** Adds the route of the audit log. */
export function addAuditRoutes(app: FastifyInstance, client: CoreClient): void {
  const { rpc } = operations.listAuditRecords;
  addRoute(app, operations.listAuditRecords, async (request, reply) => {
    const read = () => {
      const [from, until, sessionId] = [
        timeOf(request, "from"),
        timeOf(request, "until"),
        textOf(request, "sessionId"),
      ];
      return {
        after: textOf(request, "after") ?? "",
        pageSize: integerOf(request, "limit", 1, maxAuditPageSize) ?? 0,
        ...(from === undefined ? {} : { from }),
        ...(until === undefined ? {} : { until }),
        ...(sessionId === undefined ? {} : { sessionId }),
      };
    };
    const { records, next } = await client.call(rpc, request, reply, read).catch((error: unknown) => {
      throw ofQuery(error);
    });
    return { records: records.map(toAuditRecord), next: next || null };
  });
}
