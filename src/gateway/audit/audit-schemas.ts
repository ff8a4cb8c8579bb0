// Shapes of the audit log in the REST interface.
import { type TSchema, Type } from "typebox";
import { maxAuditPageSize } from "../../kernel/requests/audit-query.ts";
import { named, nullable, ref } from "../../transport/http/bodies/json-schema.ts";

const uuid = (description: string) =>
  Type.String({ format: "uuid", description, examples: ["019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e"] });

export const AuditRecord = named(
  "AuditRecord",
  Type.Object({
    at: Type.String({ format: "date-time", description: "When.", examples: ["2026-11-21T15:04:05.123Z"] }),
    action: Type.String({
      description: "What was done, as noun and verb; more may come.",
      examples: ["results.read"],
    }),
    outcome: Type.String({
      description: "How it ended: `begun` before a change, `ok`, or the code of an error.",
      examples: ["ok"],
    }),
    clientId: nullable(uuid("The client that called; null for operators at the command line.")),
    sessionId: nullable(uuid("The session that it was about.")),
    targetId: nullable(uuid("The client or webhook endpoint that it was about.")),
    requestId: Type.String({ description: "Id of the request.", examples: ["7b1e6c1e-0f2e-4d2b-9c43-2f6f0f3d5a11"] }),
    writer: uuid("The chain that the record is a link of."),
    sequence: Type.String({ description: "Its place in that chain: a number, from 1.", examples: ["42"] }),
    hash: Type.String({
      description: "SHA-256 over the hash of the record before and this record, as 64 hexadecimal digits.",
      pattern: "^[0-9a-f]{64}$",
    }),
  }),
);

export const AuditPage = named(
  "AuditPage",
  Type.Object({
    records: Type.Array(ref(AuditRecord), { maxItems: maxAuditPageSize, description: "The newest first." }),
    next: nullable(
      Type.String({ description: "`after` of the next request, for older records; null after the last." }),
    ),
  }),
);

export const auditSchemas: readonly TSchema[] = [AuditRecord, AuditPage];

const time = (description: string) =>
  Type.Optional(Type.String({ format: "date-time", description, examples: ["2026-11-21T15:04:05Z"] }));

export const auditQuery = Type.Object({
  after: Type.Optional(Type.String({ description: "The `next` of the response before." })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxAuditPageSize, default: 100, description: "Most records in the response." }),
  ),
  from: time("Only records of this time or later."),
  until: time("Only records before this time."),
  sessionId: Type.Optional(uuid("Only records about this session, which may be erased by now.")),
});
