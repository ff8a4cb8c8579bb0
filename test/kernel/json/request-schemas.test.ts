// The schemas that bodies of requests are held to. No process looks at them as a whole: that takes 100 ms.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { requestSchemas } from "../../../tools/openapi/schemas.ts";

const schemas = requestSchemas();

test("every schema of a request is valid", () => {
  const ajv = new Ajv2020();
  const invalid = schemas.filter((schema) => ajv.validateSchema({ ...schema }) !== true);
  expect([invalid, schemas.length > 10]).toEqual([[], true]);
});

test("every schema of a request can be compiled", () => {
  const ajv = new Ajv2020({ validateFormats: false, schemas: schemas.map((schema) => ({ ...schema })) });
  for (const { $id } of schemas) expect(() => ajv.compile({ $ref: `${$id}#` })).not.toThrow();
});
