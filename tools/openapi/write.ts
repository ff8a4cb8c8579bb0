// Writes src/gen/openapi.json: the OpenAPI document, which the service serves and which clients and documents are made of.
import { writeFileSync } from "node:fs";
import { describeApi } from "./document.ts";

writeFileSync("src/gen/openapi.json", `${JSON.stringify(describeApi(), undefined, 1)}\n`);
