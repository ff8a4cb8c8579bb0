// The message for each way in which a file can violate the schema.
import type { AnySchemaObject, DefinedError } from "ajv/dist/2020.js";
import { quote } from "./faults.ts";

const typeWords: ReadonlyMap<string, string> = new Map([
  ["object", "an object"],
  ["array", "a list"],
  ["string", "a text"],
  ["number", "a number"],
  ["integer", "a whole number"],
  ["boolean", "true or false"],
  ["null", "null"],
]);

/** Code and message of one finding; the subject of the sentence is the title in the schema. */
export function describe(error: DefinedError): { code: string; message: string } {
  const schema: AnySchemaObject = error.parentSchema ?? {};
  const { title } = error.keyword === "required" ? schema.properties[error.params.missingProperty] : schema;
  const [code, rest] = faultOf(error, schema);
  return { code, message: `${title} ${rest}` };
}

function faultOf(error: DefinedError, schema: AnySchemaObject): [code: string, words: string] {
  const mustBe = (what: string) => `must be ${what}, not ${describeData(error.data)}`;
  switch (error.keyword) {
    case "required":
      return ["missing_member", "is missing"];
    case "additionalProperties": {
      const memberNames = Object.keys(schema.properties).join(", ");
      const name = quote(error.params.additionalProperty);
      return ["unknown_member", `has no member ${name}; known are ${memberNames}`];
    }
    case "type":
      return [
        "wrong_type",
        mustBe(
          [error.params.type]
            .flat()
            .map((type) => typeWords.get(type))
            .join(" or "),
        ),
      ];
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
      return ["out_of_range", mustBe(numberRange(schema))];
    case "minLength":
    case "maxLength":
    case "minItems":
    case "maxItems": {
      const [what, least, most] = Array.isArray(error.data)
        ? ["entries", schema.minItems, schema.maxItems]
        : ["characters", schema.minLength, schema.maxLength];
      const { length } = Array.from(Array.isArray(error.data) ? error.data : String(error.data));
      return ["wrong_length", `must have ${countRange(least, most)} ${what}, not ${length}`];
    }
    case "pattern":
      return ["wrong_form", schema.patternErrorMessage];
    case "enum":
      return ["unsupported", mustBe(error.params.allowedValues.map(describeData).join(" or "))];
    case "const":
      return ["unsupported", mustBe(describeData(error.params.allowedValue))];
    default:
      return ["wrong_form", String(error.message)];
  }
}

function describeData(data: unknown): string {
  if (typeof data === "string") return quote(data);
  if (Array.isArray(data)) return "a list";
  if (typeof data === "object" && data !== null) return "an object";
  return String(data);
}

function numberRange({ minimum, exclusiveMinimum, maximum }: AnySchemaObject): string {
  if (exclusiveMinimum !== undefined) return `above ${exclusiveMinimum} and at most ${maximum}`;
  return `from ${minimum} to ${maximum}`;
}

function countRange(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return `at most ${most}`;
  return least === most ? `exactly ${least}` : `${least} to ${most}`;
}
