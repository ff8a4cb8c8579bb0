// The schemas that bodies of requests are held to. No start looks at them: that takes 100 ms.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { requestSchemas } from "../../../src/gateway/openapi/schemas.ts";

test("every schema of a request is a valid one", () => {
  const ajv = new Ajv2020();
  const invalid = requestSchemas.filter((schema) => ajv.validateSchema({ ...schema }) !== true);
  expect([invalid, requestSchemas.length > 10]).toEqual([[], true]);
});
