// Shapes that are no message: what is put together of several, and a webhook that no rpc gives.
import { type TSchema, Type } from "typebox";
import { ExportSubjectResponseSchema } from "../../gen/assessment/v1/export_service_pb.ts";
import {
  CreateSessionResponseSchema,
  HeadlessSessionSchema,
  HostedSessionSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { products } from "../../kernel/products.ts";
import { named, oneOf, ref } from "../../transport/http/bodies/json-schema.ts";
import { propertiesOf } from "../../transport/http/bodies/message-schema.ts";

const created = propertiesOf(CreateSessionResponseSchema);

const HeadlessSession = named(
  "HeadlessSession",
  Type.Object({ ...created, mode: oneOf(["headless"]), ...propertiesOf(HeadlessSessionSchema) }),
);
const HostedSession = named(
  "HostedSession",
  Type.Object({ ...created, mode: oneOf(["hosted"]), ...propertiesOf(HostedSessionSchema) }),
);

export const CreatedSession = named(
  "CreatedSession",
  Type.Unsafe<unknown>({ oneOf: [ref(HeadlessSession), ref(HostedSession)] }),
);

export const SubjectExport = named(
  "SubjectExport",
  Type.Object({
    ...propertiesOf(ExportSubjectResponseSchema),
    product: oneOf(products, { description: "Assessment product." }),
  }),
);

const WebhookTest = named(
  "WebhookTest",
  Type.Object({
    id: Type.String(),
    type: oneOf(["webhook.test"]),
    timestamp: Type.String({
      format: "date-time",
      description: "When it was sent.",
      examples: ["2026-11-21T15:04:05.123Z"],
    }),
    data: Type.Object({ endpointId: Type.String({ format: "uuid", description: "The endpoint." }) }),
  }),
);

export const composedSchemas: readonly TSchema[] = [
  HeadlessSession,
  HostedSession,
  CreatedSession,
  SubjectExport,
  WebhookTest,
];
