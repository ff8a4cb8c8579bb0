// Rules on pairings.
import type { Report } from "../faults.ts";
import type { DefinitionPart } from "../parts.ts";
import { checkIds, forRepeats } from "./repeats.ts";

/** Pairings have unique ids and join two known values, the lower id first, no two twice; both kinds occur. */
export function checkPairings({ pairings, values }: DefinitionPart, report: Report): void {
  checkIds(pairings, "A pairing", report);
  const idsOf = (pairing: (typeof pairings)[number]) => pairing.values?.join(" and ");
  forRepeats(pairings, idsOf, (pairing) => {
    const message = `A pairing before this one joins values ${idsOf(pairing)} too`;
    report(`${pairing.pointer}/values`, "duplicate_pairing", message);
  });
  const valueIds = new Set(values.map((value) => value.id));
  const isWhole = values.length > 0 && !valueIds.has(undefined);
  for (const { pointer: place, values: pair } of pairings) {
    if (pair === undefined) continue;
    const pointer = `${place}/values`;
    const [a, b] = pair;
    if (a === b) {
      report(pointer, "pairing_order", `Value ${a} cannot be paired with itself`);
      continue;
    }
    if (a > b) report(pointer, "pairing_order", `Values ${a} and ${b} must be listed with the lower id first`);
    for (const [index, id] of pair.entries()) {
      if (isWhole && !valueIds.has(id)) {
        report(`${pointer}/${index}`, "unknown_value", `There is no value with the id ${id}`);
      }
    }
  }
  const kinds = new Set(pairings.map(({ kind }) => kind));
  if (kinds.size === 0 || kinds.has(undefined)) return;
  for (const kind of ["harmony", "conflict"] as const) {
    const message = `No pairing is of the kind ${kind}, so that every result would be unresolved`;
    if (!kinds.has(kind)) report("#/pairings", "missing_pairing_kind", message);
  }
}
