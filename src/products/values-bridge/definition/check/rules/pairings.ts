// Rules on pairings.
import type { PairingKind } from "../../../scoring/model.ts";
import type { Definition } from "../../definition.ts";
import type { DefinitionFault } from "../faults.ts";
import { repeats } from "./repeats.ts";

/** Pairings have unique ids and join two known values, the lower id first, no two twice; both kinds occur. */
export function checkPairings(definition: Definition): DefinitionFault[] {
  return [...repeatFaults(definition), ...valueFaults(definition), ...kindFaults(definition)];
}

function repeatFaults({ pairings }: Definition): DefinitionFault[] {
  const joined = pairings.map(({ values }) => values.join(" and "));
  return [
    ...repeats(pairings.map(({ id }) => id)).map(({ index }) => ({
      pointer: `#/pairings/${index}/id`,
      code: "duplicate_id" as const,
      message: `A pairing before this one has the id ${pairings[index]?.id} too`,
    })),
    ...repeats(joined).map(({ index }) => ({
      pointer: `#/pairings/${index}/values`,
      code: "duplicate_pairing" as const,
      message: `A pairing before this one joins values ${joined[index]} too`,
    })),
  ];
}

function valueFaults({ pairings, values }: Definition): DefinitionFault[] {
  const known = new Set(values.map(({ id }) => id));
  return pairings.flatMap(({ values: [a, b] }, index): DefinitionFault[] => {
    const pointer = `#/pairings/${index}/values`;
    if (a === b) {
      return [{ pointer, code: "pairing_order", message: `Value ${a} cannot be paired with itself` }];
    }
    const order = `Values ${a} and ${b} must be listed with the lower id first`;
    const unknown = [a, b].filter((id) => !known.has(id));
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

function kindFaults({ pairings }: Definition): DefinitionFault[] {
  const kinds: readonly PairingKind[] = ["harmony", "conflict"];
  return kinds
    .filter((kind) => !pairings.some((pairing) => pairing.kind === kind))
    .map((kind) => ({
      pointer: "#/pairings",
      code: "missing_pairing_kind",
      message: `No pairing is of the kind ${kind}, so that every result would be unresolved`,
    }));
}
