// Checks the shape of a definition against the schema, and words the faults.
import { Ajv2020, type DefinedError } from "ajv/dist/2020.js";
import { maxCharacters, maxNodes } from "../limits.ts";
import { definitionSchema } from "../schema.ts";
import type { DefinitionFault } from "./faults.ts";
import { describe } from "./shape-words.ts";

/** Finds all shape faults of a parsed JSON value, at most one for each location. */
export type ShapeCheck = (input: unknown) => DefinitionFault[];

/** Compiles the schema, which takes some tens of milliseconds. */
export function compileShapeCheck(): ShapeCheck {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true, keywords: ["patternErrorMessage"] });
  const validate = ajv.compile(definitionSchema);
  return (input) => {
    if (isTooLarge(input)) {
      const message = `Definition is too large: it has more than ${maxNodes} members or ${maxCharacters} characters`;
      return [{ pointer: "#", code: "too_large", message }];
    }
    if (validate(input)) return [];
    const faults = new Map<string, DefinitionFault>();
    for (const error of (validate.errors ?? []) as DefinedError[]) {
      const pointer = pointerOf(error);
      if (!faults.has(pointer)) faults.set(pointer, { pointer, ...describe(error) });
    }
    return [...faults.values()];
  };
}

/** Limits the work, and the memory for faults, before the content is checked. Does not recurse. */
function isTooLarge(input: unknown): boolean {
  const open: unknown[] = [input];
  let nodes = 0;
  let characters = 0;
  while (open.length > 0) {
    const data = open.pop();
    if (typeof data === "string") characters += data.length;
    if (characters > maxCharacters) return true;
    if (typeof data !== "object" || data === null) continue;
    const children = Array.isArray(data) ? data : Object.entries(data).flat();
    nodes += children.length;
    if (nodes > maxNodes) return true;
    for (const child of children) open.push(child);
  }
  return false;
}

function pointerOf(error: DefinedError): string {
  if (error.keyword === "required") return `#${error.instancePath}/${error.params.missingProperty}`;
  if (error.keyword !== "additionalProperties") return `#${error.instancePath}`;
  const name = error.params.additionalProperty.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
  return `#${error.instancePath}/${encodeURIComponent(name)}`;
}
