// Rules on pairings.
import type { PairingKind } from "../../../scoring/model.ts";
import type { DefinitionFault } from "../faults.ts";
import type { DefinitionPart } from "../parts.ts";
import { duplicates, repeats } from "./repeats.ts";

/** Pairings have unique ids and join two known values, the lower id first, no two twice; both kinds occur. */
export function checkPairings(parts: DefinitionPart): DefinitionFault[] {
  return [...repeatFaults(parts), ...valueFaults(parts), ...kindFaults(parts)];
}

function repeatFaults({ pairings }: DefinitionPart): DefinitionFault[] {
  return [
    ...duplicates(pairings, "id", "duplicate_id", ({ id }) => `A pairing before this one has the id ${id} too`),
    ...repeats(pairings, ({ values }) => values?.join(" and ")).map(({ entry }) => ({
      pointer: `${entry.pointer}/values`,
      code: "duplicate_pairing" as const,
      message: `A pairing before this one joins values ${entry.values?.join(" and ")} too`,
    })),
  ];
}

function valueFaults({ pairings, values }: DefinitionPart): DefinitionFault[] {
  const valueIds = new Set(values.map((value) => value.id));
  const allKnown = values.length > 0 && !valueIds.has(undefined);
  return pairings.flatMap((pairing): DefinitionFault[] => {
    const pointer = `${pairing.pointer}/values`;
    const [a, b] = pairing.values ?? [];
    if (a === undefined || b === undefined) return [];
    if (a === b) {
      return [{ pointer, code: "pairing_order", message: `Value ${a} cannot be paired with itself` }];
    }
    const order = `Values ${a} and ${b} must be listed with the lower id first`;
    const unknown = allKnown ? [a, b].filter((id) => !valueIds.has(id)) : [];
    return [
      ...(a > b ? [{ pointer, code: "pairing_order" as const, message: order }] : []),
      ...unknown.map((id) => ({
        pointer: `${pointer}/${id === a ? 0 : 1}`,
        code: "unknown_value" as const,
        message: `There is no value with the id ${id}`,
      })),
    ];
  });
}

function kindFaults({ pairings }: DefinitionPart): DefinitionFault[] {
  const pairingKinds = pairings.map((pairing) => pairing.kind);
  if (pairingKinds.length === 0 || pairingKinds.includes(undefined)) return [];
  const kinds: readonly PairingKind[] = ["harmony", "conflict"];
  return kinds
    .filter((kind) => !pairingKinds.includes(kind))
    .map((kind) => ({
      pointer: "#/pairings",
      code: "missing_pairing_kind",
      message: `No pairing is of the kind ${kind}, so that every result would be unresolved`,
    }));
}
