// Rules on archetypes: unique ids and names, and one archetype for every total gap in each direction.
import type { ArchetypeRule } from "../../../scoring/model.ts";
import type { DefinitionFault } from "../faults.ts";
import { quote } from "../faults.ts";
import type { DefinitionPart } from "../parts.ts";
import { duplicates } from "./repeats.ts";

type ArchetypePart = DefinitionPart["archetypes"][number];

const greatestGap = 100;

/** The total gaps of one archetype: `from` to below `below`. */
interface Band {
  readonly pointer: string;
  /** How messages name the archetype: its id, or its position if the id is invalid. */
  readonly label: string;
  readonly from: number;
  /** Infinity: no upper end. */
  readonly below: number;
  readonly direction: ArchetypeRule["direction"];
}

/** Archetypes have unique ids and names; for each direction their bands cover 0 to 100 without overlap or gap. */
export function checkArchetypes(parts: DefinitionPart): DefinitionFault[] {
  const bands = bandsOf(parts);
  const sound = bands.filter((band) => band.from < band.below);
  const allKnown = parts.archetypes.length > 0 && sound.length === parts.archetypes.length;
  return [
    ...repeatFaults(parts),
    ...bands.filter((band) => band.from >= band.below).map(emptyBandFault),
    ...(["focused", "plural"] as const).flatMap((direction) => coverageFaults(sound, direction, allKnown)),
  ];
}

function repeatFaults({ archetypes, unresolvedArchetype }: DefinitionPart): DefinitionFault[] {
  const all = [...archetypes, unresolvedArchetype];
  return [
    ...duplicates(all, "id", "duplicate_id", ({ id }) => `An archetype before this one has the id ${id} too`),
    ...archetypeNameFaults(all),
  ];
}

/** Archetypes, or translations of them, have names of their own. */
export function archetypeNameFaults(archetypes: readonly Pick<ArchetypePart, "pointer" | "name">[]): DefinitionFault[] {
  return duplicates(archetypes, "name", "duplicate_name", ({ name }) => {
    return `An archetype before this one is named ${quote(name ?? "")} too`;
  });
}

function bandsOf({ archetypes }: DefinitionPart): Band[] {
  return archetypes.flatMap(({ pointer, id, gapFrom, gapBelow, direction }, index) => {
    if (gapFrom === undefined || gapBelow === undefined || direction === undefined) return [];
    const label = id === undefined ? `no. ${index + 1}` : String(id);
    return [{ pointer, label, from: gapFrom, below: gapBelow ?? Infinity, direction }];
  });
}

function emptyBandFault({ pointer, label, from, below }: Band): DefinitionFault {
  const message = `Archetype ${label} claims no gap: it starts at ${from} and ends below ${below}`;
  return { pointer: `${pointer}/gapBelow`, code: "empty_band", message };
}

/** Checks the bands of one direction from 0 up; missing ranges are certain only if all bands are known. */
function coverageFaults(bands: readonly Band[], direction: Band["direction"], allKnown: boolean): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  const hole = (gaps: string): void => {
    const message = `No archetype covers ${gaps} with direction ${direction}`;
    if (allKnown) faults.push({ pointer: "#/archetypes", code: "uncovered_gaps", message });
  };
  let widest: Band | undefined;
  for (const band of bands.filter((one) => one.direction === direction).toSorted((a, b) => a.from - b.from)) {
    const covered = widest?.below ?? 0;
    if (widest !== undefined && band.from < covered) faults.push(overlapFault(widest, band));
    else if (band.from > covered) hole(`gaps from ${covered} to ${band.from}`);
    if (widest === undefined || band.below > covered) widest = band;
  }
  const covered = widest?.below ?? 0;
  if (covered < greatestGap) hole(`gaps from ${covered} to ${greatestGap}`);
  if (covered === greatestGap) hole(`a gap of ${greatestGap} itself`);
  return faults;
}

function overlapFault(lower: Band, upper: Band): DefinitionFault {
  const end = Math.min(lower.below, upper.below);
  const gaps = end === Infinity ? `above ${upper.from}` : `from ${upper.from} to ${end}`;
  const message = `Archetypes ${lower.label} and ${upper.label} both claim gaps ${gaps} with direction ${upper.direction}`;
  return { pointer: `${upper.pointer}/gapFrom`, code: "overlapping_bands", message };
}
