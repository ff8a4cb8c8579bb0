// Rules on archetypes: unique ids and names, and one archetype for every total gap in each direction.
import type { Report } from "../faults.ts";
import type { DefinitionPart } from "../parts.ts";
import { checkIds, checkNames } from "./repeats.ts";

const greatestGap = 100;

/** The total gaps of one archetype: `from` to below `below`. */
interface Band {
  readonly pointer: string;
  /** How messages name the archetype: its id, or its position if the id is invalid. */
  readonly label: string;
  readonly from: number;
  /** Infinity: no upper end. */
  readonly below: number;
  readonly direction: "focused" | "plural";
}

/** Archetypes have unique ids and names; for each direction their bands cover 0 to 100 without overlap or gap. */
export function checkArchetypes({ archetypes, unresolvedArchetype }: DefinitionPart, report: Report): void {
  checkIds([...archetypes, unresolvedArchetype], "An archetype", report);
  checkNames([...archetypes, unresolvedArchetype], "An archetype", report);
  const bands = archetypes.flatMap(({ pointer, id, gapFrom: from, gapBelow, direction }, index): Band[] => {
    if (from === undefined || gapBelow === undefined || direction === undefined) return [];
    const [label, below] = [String(id ?? `no. ${index + 1}`), gapBelow ?? Infinity];
    if (from < below) return [{ pointer, label, from, below, direction }];
    const message = `Archetype ${label} claims no gap: it starts at ${from} and ends below ${below}`;
    report(`${pointer}/gapBelow`, "empty_band", message);
    return [];
  });
  // Missing ranges are certain only if all bands are known.
  const isWhole = archetypes.length > 0 && bands.length === archetypes.length;
  for (const direction of ["focused", "plural"] as const) {
    const inOrder = bands.filter((band) => band.direction === direction).toSorted((a, b) => a.from - b.from);
    checkCoverage(inOrder, isWhole, report, direction);
  }
}

/** Checks the bands of one direction from 0 up. */
function checkCoverage(bands: readonly Band[], isWhole: boolean, report: Report, direction: Band["direction"]): void {
  const reportHole = (gaps: string) => {
    const message = `No archetype covers ${gaps} with direction ${direction}`;
    if (isWhole) report("#/archetypes", "uncovered_gaps", message);
  };
  let widest = { label: "", below: 0 };
  for (const band of bands) {
    const { pointer, label, from, below } = band;
    if (from < widest.below) {
      const end = Math.min(widest.below, below);
      const gaps = end === Infinity ? `above ${from}` : `from ${from} to ${end}`;
      const message = `Archetypes ${widest.label} and ${label} both claim gaps ${gaps} with direction ${direction}`;
      report(`${pointer}/gapFrom`, "overlapping_bands", message);
    } else if (from > widest.below) reportHole(`gaps from ${widest.below} to ${from}`);
    if (below > widest.below) widest = band;
  }
  if (widest.below < greatestGap) reportHole(`gaps from ${widest.below} to ${greatestGap}`);
  if (widest.below === greatestGap) reportHole(`a gap of ${greatestGap} itself`);
}
