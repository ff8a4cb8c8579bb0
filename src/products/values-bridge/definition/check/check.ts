// Checks a definition file: its shape, then the rules on all parts with a valid shape.
import type { Definition } from "../definition.ts";
import { maxFaults } from "../limits.ts";
import type { DefinitionFault } from "./faults.ts";
import { readParts } from "./parts.ts";
import { checkArchetypes } from "./rules/archetypes.ts";
import { checkPairings } from "./rules/pairings.ts";
import { checkPresentation } from "./rules/presentation.ts";
import { checkScoring } from "./rules/scoring.ts";
import { checkTranslations } from "./rules/translations.ts";
import { checkValues } from "./rules/values.ts";
import { checkWording } from "./rules/wording.ts";
import { compileShapeCheck, type ShapeCheck } from "./shape.ts";

const rulesInOrder = [
  checkPresentation,
  checkWording,
  checkValues,
  checkPairings,
  checkArchetypes,
  checkScoring,
  checkTranslations,
];

/**
 * Finds every fault of a definition at once: first those of its shape, then those of the rules, which run on all that
 * has a valid shape. Reports at most 200; none means that the definition can be published. Never throws.
 * @param input what `JSON.parse` made of the file
 * @param checkShape to compile the schema once for many checks
 */
export function checkDefinition(input: unknown, checkShape: ShapeCheck = compileShapeCheck()): DefinitionFault[] {
  const shapeFaults = checkShape(input);
  if (shapeFaults.some((fault) => fault.code === "too_large")) return shapeFaults;
  const parts = readParts(input, new Set(shapeFaults.map((fault) => fault.pointer)));
  const faults = [...shapeFaults];
  for (const rule of rulesInOrder) rule(parts, (pointer, code, message) => faults.push({ pointer, code, message }));
  return faults.slice(0, maxFaults);
}

/** The definition in a file, or its faults. */
export function parseDefinition(
  input: unknown,
  checkShape?: ShapeCheck,
): { definition: Definition } | { faults: DefinitionFault[] } {
  const faults = checkDefinition(input, checkShape);
  return faults.length > 0 ? { faults } : { definition: input as Definition };
}
