// Enums of requests: gRPC and Connect hand over any number, known or not.
import type { DescEnum } from "@bufbuild/protobuf";
import { invalidRequest } from "../../kernel/errors/refusal.ts";

/** Throws `invalid_request` for a number that the enum does not have. @param field of the request, in camelCase */
export function requireKnown(schema: DescEnum, value: number, field: string): void {
  if (schema.value[value] !== undefined) return;
  const detail = `Must be one of: ${schema.values.map(({ name }) => name).join(", ")}.`;
  throw invalidRequest([{ path: [field], code: "unknown_value", detail }]);
}
