// The route of the audit log.
import type { FastifyInstance } from "fastify";
import { ListAuditRecordsResponseSchema } from "../../gen/assessment/v1/audit_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { maxAuditPageSize } from "../../kernel/requests/audit-query.ts";
import { operations } from "../openapi/operations.ts";
import type { CoreClient } from "../shared/client.ts";
import { integerOf, textOf, timeOf } from "../shared/query.ts";
import { addRoute, outsideBody } from "../shared/route.ts";

const pageJson = toJson(ListAuditRecordsResponseSchema);

/** Adds the route of the audit log. */
export function addAuditRoutes(app: FastifyInstance, client: CoreClient): void {
  const { rpc } = operations.listAuditRecords;
  addRoute(
    app,
    operations.listAuditRecords,
    async (request, reply) => {
      const read = () => {
        const [from, until, sessionId] = [
          timeOf(request, "from"),
          timeOf(request, "until"),
          textOf(request, "sessionId"),
        ];
        return {
          after: textOf(request, "after") ?? "",
          pageSize: integerOf(request, "limit", 1, maxAuditPageSize) ?? 0,
          from,
          until,
          sessionId,
        };
      };
      const page = await client.call(rpc, request, reply, read);
      return pageJson(page);
    },
    outsideBody,
  );
}
