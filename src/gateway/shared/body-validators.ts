// What holds bodies to the schemas of their messages. It is imported for the first body.
import { Ajv2020 } from "ajv/dist/2020.js";
import { once } from "../../kernel/once.ts";
import { requestSchemas } from "../openapi/schemas.ts";

// Verbose: a violation tells which members there are. That the schemas are valid is a test's business: to find it out here
// takes some 100 ms.
const options = { validateFormats: false, validateSchema: false, meta: false, verbose: true };

/** Compiles validators that stop at the first violation. */
export const firstViolation = once(() => validators());

/** Compiles validators that go on to the last one. */
export const allViolations = once(() => validators({ allErrors: true }));

/** Patterns are for those who write clients: what a text has to be, the core says in words. */
function validators(more: { allErrors?: true } = {}): Ajv2020 {
  const schemas = requestSchemas().map((schema) => ({ ...schema }));
  return new Ajv2020({ ...options, ...more, schemas }).removeKeyword("pattern").addKeyword("pattern");
}
