// The message for each way in which a file can violate the schema.
import type { AnySchemaObject, DefinedError } from "ajv/dist/2020.js";
import { type FaultCode, quote } from "./faults.ts";

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
export function describe(error: DefinedError): { code: FaultCode; message: string } {
  const schema: AnySchemaObject = error.parentSchema ?? {};
  const dataWords = describeData(error.data);
  switch (error.keyword) {
    case "required": {
      const missing = schema.properties[error.params.missingProperty];
      return { code: "missing_member", message: `${missing.title} is missing` };
    }
    case "additionalProperties": {
      const memberNames = Object.keys(schema.properties).join(", ");
      const name = quote(error.params.additionalProperty);
      return { code: "unknown_member", message: `${schema.title} has no member ${name}; known are ${memberNames}` };
    }
    case "type": {
      const types = [error.params.type].flat().map((type) => typeWords.get(type));
      return { code: "wrong_type", message: `${schema.title} must be ${types.join(" or ")}, not ${dataWords}` };
    }
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
      return { code: "out_of_range", message: `${schema.title} must be ${numberRange(schema)}, not ${dataWords}` };
    case "minLength":
    case "maxLength": {
      const length = Array.from(String(error.data)).length;
      const range = countRange(schema.minLength, schema.maxLength);
      return { code: "wrong_length", message: `${schema.title} must have ${range} characters, not ${length}` };
    }
    case "minItems":
    case "maxItems": {
      const length = Array.isArray(error.data) ? error.data.length : 0;
      const range = countRange(schema.minItems, schema.maxItems);
      return { code: "wrong_length", message: `${schema.title} must have ${range} entries, not ${length}` };
    }
    case "pattern":
      return { code: "wrong_form", message: `${schema.title} ${schema.patternErrorMessage}` };
    case "enum": {
      const allowed = error.params.allowedValues.map(describeData).join(" or ");
      return { code: "unsupported", message: `${schema.title} must be ${allowed}, not ${dataWords}` };
    }
    case "const": {
      const allowed = describeData(error.params.allowedValue);
      return { code: "unsupported", message: `${schema.title} must be ${allowed}, not ${dataWords}` };
    }
    default:
      return { code: "wrong_form", message: `${schema.title} ${error.message}` };
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
