// The operation of the audit log.

import { AuditService, ListAuditRecordsResponseSchema } from "../../gen/assessment/v1/audit_service_pb.ts";
import { integer, optional, string } from "../../kernel/json/json-schema.ts";
import { maxAuditPageSize } from "../../kernel/requests/audit-query.ts";
import { operation } from "../openapi/operation.ts";

const time = (description: string) =>
  optional(string({ format: "date-time", description, examples: ["2026-11-21T15:04:05Z"] }));

const auditQuery = {
  after: optional(string({ description: "The `next` of the response before." })),
  limit: optional(
    integer({ minimum: 1, maximum: maxAuditPageSize, default: 100, description: "Most records in the response." }),
  ),
  from: time("Only records of this time or later."),
  until: time("Only records before this time."),
  sessionId: optional(
    string({
      format: "uuid",
      examples: ["019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e"],
      description: "Only records about this session, which may be erased by now.",
    }),
  ),
};

export const auditOperations = {
  listAuditRecords: operation("GET", "/v1/audit", AuditService.method.listAuditRecords, {
    tag: "Audit",
    summary: "Read who read results and who changed what",
    description:
      "Each record is a link of a chain of hashes. A minute after `until`, nothing is added to what a request finds.",
    query: auditQuery,
    success: {
      status: 200,
      description: "Records about your data and your account, newest first.",
      schema: ListAuditRecordsResponseSchema,
    },
  }),
} as const;
