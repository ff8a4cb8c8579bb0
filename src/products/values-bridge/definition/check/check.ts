// Checks a definition file: its shape, then the rules between its members.
import type { Definition } from "../definition.ts";
import { maxFaults } from "../limits.ts";
import type { WellShaped } from "../schema/definition-schema.ts";
import type { DefinitionFault } from "./faults.ts";
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
 * Finds all faults of its shape; if there are none, all faults of the rules. Reports at most 200; none means that the
 * definition can be published. Never throws.
 * @param input what `JSON.parse` made of the file
 * @param checkShape to compile the schema once for many checks
 */
export function checkDefinition(input: unknown, checkShape: ShapeCheck = compileShapeCheck()): DefinitionFault[] {
  const shapeFaults = checkShape(input);
  const faults = shapeFaults.length > 0 ? shapeFaults : rulesInOrder.flatMap((rule) => rule(input as WellShaped));
  return faults.slice(0, maxFaults);
}

/** The definition in a file, or its faults. */
export function parseDefinition(
  input: unknown,
  checkShape?: ShapeCheck,
): { definition: Definition } | { faults: DefinitionFault[] } {
  const faults = checkDefinition(input, checkShape);
  return faults.length > 0 ? { faults } : { definition: input as WellShaped };
}
