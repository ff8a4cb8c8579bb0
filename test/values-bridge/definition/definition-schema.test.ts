// The schema of definition files.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import published from "../../../src/products/values-bridge/definition/definition.schema.json" with { type: "json" };
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { soundDefinition } from "../../support/values-bridge/definition.ts";

test("the schema is valid draft 2020-12, and accepts sound definitions", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, multipleOfPrecision: 9 });
  expect(ajv.validateSchema(published)).toBe(true);
  const validate = ajv.compile(published);
  expect([validate(soundDefinition()), validate(valuesBridge), validate({})]).toEqual([true, true, false]);
});

test("the schema describes every member and closes every object", () => {
  const open: string[] = [];
  const undescribed: string[] = [];
  visit(published, "#", (schema, place) => {
    if (schema.type === "object" && schema.additionalProperties !== false) open.push(place);
    if (!schema.description) undescribed.push(place);
  });
  expect({ open, undescribed }).toEqual({ open: [], undescribed: [] });
});

test("the schema bounds every number, text and list", () => {
  const unbounded: string[] = [];
  visit(published, "#", (schema, place) => {
    if (schema.enum !== undefined) return;
    const types = [schema.type].flat();
    const bounded =
      (!types.includes("string") || schema.maxLength !== undefined || schema.pattern !== undefined) &&
      (!types.includes("array") || schema.maxItems !== undefined) &&
      (!(types.includes("number") || types.includes("integer")) || schema.maximum !== undefined);
    if (!bounded) unbounded.push(place);
  });
  expect(unbounded).toEqual([]);
});

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

const definitions: Readonly<Record<string, Schema>> = published.$defs;

/** Visits all members, with what they refer to. */
function visit(member: Schema, place: string, look: (schema: Schema, place: string) => void): void {
  let schema = member;
  while (schema.$ref !== undefined) {
    const { $ref, ...own } = schema;
    schema = { ...definitions[$ref.slice("#/$defs/".length)], ...own };
  }
  look(schema, place);
  for (const [name, each] of Object.entries(schema.properties ?? {})) visit(each, `${place}/${name}`, look);
  if (schema.items !== undefined) visit(schema.items, `${place}/*`, look);
}
