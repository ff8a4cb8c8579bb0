// The OpenAPI document, for a service at the default address.
import type { OpenAPIV3_1 } from "openapi-types";
import { readOpenApi } from "../../../src/gateway/rest/openapi-document.ts";

export function openApiDocument(): OpenAPIV3_1.Document {
  return JSON.parse(readOpenApi());
}
