// Schemas that are no message: composed of several.
import { ExportSubjectResponseSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import {
  CreateSessionResponseSchema,
  HeadlessSessionSchema,
  HostedSessionSchema,
} from "../../src/gen/assessment/v1/session_service_pb.ts";
import { products } from "../../src/kernel/ids.ts";
import { named, object, ref, type Schema } from "./json-schema.ts";
import { oneOf, propertiesOf } from "./message-schema.ts";

/** Schemas of responses. */
export type ComposedName = "CreatedSession" | "SubjectExport";

const created = propertiesOf(CreateSessionResponseSchema);

const HeadlessSession = named(
  "HeadlessSession",
  object({ ...created, mode: oneOf(["headless"]), ...propertiesOf(HeadlessSessionSchema) }),
);
const HostedSession = named(
  "HostedSession",
  object({ ...created, mode: oneOf(["hosted"]), ...propertiesOf(HostedSessionSchema) }),
);

const responses: Readonly<Record<ComposedName, Schema>> = {
  CreatedSession: { oneOf: [ref(HeadlessSession), ref(HostedSession)] },
  SubjectExport: object({
    ...propertiesOf(ExportSubjectResponseSchema),
    product: oneOf(products, { description: "Assessment product." }),
  }),
};

export const composedSchemas: readonly Schema[] = [
  HeadlessSession,
  HostedSession,
  ...Object.entries(responses).map(([name, schema]) => named(name, schema)),
];
