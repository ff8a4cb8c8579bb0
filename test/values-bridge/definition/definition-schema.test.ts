// The schema of definition files.
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import published from "../../../src/products/values-bridge/definition/definition.schema.json" with { type: "json" };
import { definitionSchema, type Schema } from "../../../src/products/values-bridge/definition/schema.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { soundDefinition } from "../../support/values-bridge/definition.ts";

describe("the schema of definitions", () => {
  test("the schema is valid draft 2020-12, and accepts sound definitions", () => {
    const ajv = new Ajv2020({ allowUnionTypes: true, keywords: ["patternErrorMessage"] });
    expect(ajv.validateSchema(published)).toBe(true);
    const validate = ajv.compile(published);
    expect([validate(soundDefinition()), validate(valuesBridge), validate({})]).toEqual([true, true, false]);
  });

  test("the schema titles and describes every member and closes every object", () => {
    const open: string[] = [];
    const undescribed: string[] = [];
    visit(definitionSchema, "#", (schema, place) => {
      if (schema.type === "object" && schema.additionalProperties !== false) open.push(place);
      if (!schema.title || !schema.description) undescribed.push(place);
    });
    expect({ open, undescribed }).toEqual({ open: [], undescribed: [] });
  });

  test("the schema bounds every number, text and list", () => {
    const unbounded: string[] = [];
    visit(definitionSchema, "#", (schema, place) => {
      if (schema.const !== undefined || schema.enum !== undefined) return;
      const types = [schema.type].flat();
      const bounded =
        (!types.includes("string") || schema.maxLength !== undefined || schema.pattern !== undefined) &&
        (!types.includes("array") || schema.maxItems !== undefined) &&
        (!(types.includes("number") || types.includes("integer")) || schema.maximum !== undefined);
      if (!bounded) unbounded.push(place);
    });
    expect(unbounded).toEqual([]);
  });
});

function visit(schema: Schema, place: string, look: (schema: Schema, place: string) => void): void {
  look(schema, place);
  for (const [name, member] of Object.entries(schema.properties ?? {})) visit(member, `${place}/${name}`, look);
  if (schema.items !== undefined) visit(schema.items, `${place}/*`, look);
}
