// Rules on archetypes: unique ids and names, and one archetype for every total gap in each direction.
import type { ArchetypeRule } from "../../../scoring/model.ts";
import type { Definition } from "../../definition.ts";
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import { repeats } from "./repeats.ts";

const greatestGap = 100;

/** The total gaps of one archetype: `from` to below `below`. */
interface Band {
  readonly pointer: string;
  readonly id: number;
  readonly from: number;
  /** Infinity: no upper end. */
  readonly below: number;
  readonly direction: ArchetypeRule["direction"];
}

/** Archetypes have unique ids and names; for each direction their bands cover 0 to 100 without overlap or gap. */
export function checkArchetypes({ archetypes, unresolvedArchetype }: Definition): DefinitionFault[] {
  const bands = archetypes.map(({ id, gapFrom, gapBelow, direction }, index) => {
    return { pointer: `#/archetypes/${index}`, id, from: gapFrom, below: gapBelow ?? Infinity, direction };
  });
  const empty = bands.filter((band) => band.from >= band.below);
  const all = [...archetypes, unresolvedArchetype];
  return [
    ...repeats(all.map(({ id }) => id)).map(({ index }) => ({
      pointer: `${archetypePointer("#", archetypes, index)}/id`,
      code: "duplicate_id" as const,
      message: `An archetype before this one has the id ${all[index]?.id} too`,
    })),
    ...archetypeNameFaults("#", archetypes, unresolvedArchetype),
    ...empty.map(emptyBandFault),
    // What an empty band was meant to cover is not known.
    ...(["focused", "plural"] as const).flatMap((direction) =>
      coverageFaults(
        bands.filter((band) => band.direction === direction && !empty.includes(band)),
        direction,
        empty.length === 0,
      ),
    ),
  ];
}

/** Reports names that occur twice, in the definition or in a translation. @param pointer of the object with the archetypes */
export function archetypeNameFaults(
  pointer: string,
  archetypes: readonly { readonly name: string }[],
  unresolved: { readonly name: string } | undefined,
): DefinitionFault[] {
  const names = [...archetypes, ...(unresolved === undefined ? [] : [unresolved])].map(({ name }) => name);
  return repeats(names.map(fold)).map(({ index }) => ({
    pointer: `${archetypePointer(pointer, archetypes, index)}/name`,
    code: "duplicate_name",
    message: `An archetype before this one is named ${quote(names[index] ?? "")} too`,
  }));
}

/** The unresolved archetype follows those of the list. */
function archetypePointer(pointer: string, { length }: readonly unknown[], index: number): string {
  return index < length ? `${pointer}/archetypes/${index}` : `${pointer}/unresolvedArchetype`;
}

function emptyBandFault({ pointer, id, from, below }: Band): DefinitionFault {
  const message = `Archetype ${id} claims no gap: it starts at ${from} and ends below ${below}`;
  return { pointer: `${pointer}/gapBelow`, code: "empty_band", message };
}

/** Checks the bands of one direction from 0 up. */
function coverageFaults(bands: readonly Band[], direction: Band["direction"], allKnown: boolean): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  const hole = (gaps: string): void => {
    const message = `No archetype covers ${gaps} with direction ${direction}`;
    if (allKnown) faults.push({ pointer: "#/archetypes", code: "uncovered_gaps", message });
  };
  let widest: Band | undefined;
  for (const band of bands.toSorted((a, b) => a.from - b.from)) {
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
  const message = `Archetypes ${lower.id} and ${upper.id} both claim gaps ${gaps} with direction ${upper.direction}`;
  return { pointer: `${upper.pointer}/gapFrom`, code: "overlapping_bands", message };
}
