// The operation of the audit log.
import { AuditService } from "../../gen/assessment/v1/audit_service_pb.ts";
import { operation } from "../openapi/describe-operation.ts";
import { AuditPage, auditQuery } from "./audit-schemas.ts";

export const auditOperations = {
  listAuditRecords: operation("GET", "/v1/audit", AuditService.method.listAuditRecords, {
    tag: "Audit",
    summary: "Read who read results and who changed what",
    description:
      "Each record is a link of a chain of hashes. A minute after `until`, nothing is added to what a request finds.",
    query: auditQuery,
    success: { status: 200, description: "Records about your data and your account, newest first.", schema: AuditPage },
  }),
} as const;
