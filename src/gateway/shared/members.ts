// Members that many shapes have.
import { Type } from "typebox";
import { maxVersion } from "../../kernel/formats/version.ts";
import { products } from "../../kernel/products.ts";
import { oneOf } from "../../transport/http/bodies/json-schema.ts";

export const uuid = (description: string) =>
  Type.String({ format: "uuid", description, examples: ["01a1fb89-5dec-77cf-b1b7-6cda148388bd"] });
export const dateTime = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-11-20T09:30:00.000Z"] });
/** A version that is asked for. */
export const versionNumber = (description: string) => Type.Integer({ minimum: 1, maximum: maxVersion, description });
export const product = oneOf(products, { description: "Assessment product." });
