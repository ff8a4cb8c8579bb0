// Checks a definition file by definition.schema.json, then by rules that a schema cannot state.
import { Ajv2020, type DefinedError } from "ajv/dist/2020.js";
import { formatPointerSegment } from "../../../kernel/errors/violation.ts";
import { isLanguageTag } from "../../../kernel/formats.ts";
import schema from "./definition.schema.json" with { type: "json" };
import type { Definition } from "./definition.ts";
import { checkRules, type DefinitionFault } from "./rules.ts";

/** The definition in a file, or its faults: at most 200. Never throws. @param input the parsed file */
export type DefinitionCheck = (input: unknown) => { definition: Definition } | { faults: DefinitionFault[] };

/** Entries and members of a file; the largest valid one has some 215,000. */
const maxNodes = 250_000;
const maxFaults = 200;

/** Compiles the schema, which takes some tens of milliseconds. */
export function compileDefinitionCheck(): DefinitionCheck {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    multipleOfPrecision: 9,
    keywords: ["patternErrorMessage"],
    formats: { "language-tag": isLanguageTag },
  });
  const matchesSchema = ajv.compile<Definition>(schema);
  return (input) => {
    if (isTooLarge(input)) return { faults: [{ pointer: "#", message: `must have at most ${maxNodes} members` }] };
    if (!matchesSchema(input)) {
      const errors = (matchesSchema.errors ?? []).slice(0, maxFaults);
      return { faults: errors.map((error) => describeError(error as DefinedError)) };
    }
    const faults = checkRules(input);
    return faults.length > 0 ? { faults: faults.slice(0, maxFaults) } : { definition: input };
  };
}

function describeError(error: DefinedError): DefinitionFault {
  const { instancePath, message = "", parentSchema } = error;
  const pointer = `#${instancePath}`;
  switch (error.keyword) {
    case "additionalProperties": {
      const name = formatPointerSegment(error.params.additionalProperty);
      return { pointer: `${pointer}/${name}`, message: "is no member here" };
    }
    case "enum":
      return { pointer, message: `must be one of: ${error.params.allowedValues.join(", ")}` };
    case "pattern":
      return { pointer, message: parentSchema?.patternErrorMessage };
    default:
      return { pointer, message };
  }
}

/** True for an input with too many members: each could have a fault. Does not recurse. */
function isTooLarge(input: unknown): boolean {
  const nodes = [input];
  for (const node of nodes) {
    if (typeof node === "object" && node !== null) for (const member of Object.values(node)) nodes.push(member);
    if (nodes.length > maxNodes) return true;
  }
  return false;
}
