// Schemas that are no message: composed of several.
import { ExportSubjectResponseSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import {
  CreateSessionResponseSchema,
  HeadlessSessionSchema,
  HostedSessionSchema,
} from "../../src/gen/assessment/v1/session_service_pb.ts";
import { products } from "../../src/kernel/ids.ts";
import { nameSchema, object, ref, type Schema } from "./json-schema.ts";
import { choiceSchema, propertySchemas } from "./message-schema.ts";

/** Schemas of responses. */
export type ComposedName = "CreatedSession" | "SubjectExport";

const responseProperties = propertySchemas(CreateSessionResponseSchema);

const HeadlessSession = nameSchema(
  "HeadlessSession",
  object({ ...responseProperties, mode: choiceSchema(["headless"]), ...propertySchemas(HeadlessSessionSchema) }),
);
const HostedSession = nameSchema(
  "HostedSession",
  object({ ...responseProperties, mode: choiceSchema(["hosted"]), ...propertySchemas(HostedSessionSchema) }),
);

const responses: Readonly<Record<ComposedName, Schema>> = {
  CreatedSession: { oneOf: [ref(HeadlessSession), ref(HostedSession)] },
  SubjectExport: object({
    ...propertySchemas(ExportSubjectResponseSchema),
    product: choiceSchema(products, { description: "Assessment product." }),
  }),
};

export const composedSchemas: readonly Schema[] = [
  HeadlessSession,
  HostedSession,
  ...Object.entries(responses).map(([name, schema]) => nameSchema(name, schema)),
];
