// Faults of pairings.
import { soundDefinition } from "../../../support/values-bridge/definition.ts";
import type { FaultCase } from "./fault-case.ts";

export const pairingsFaults: readonly FaultCase[] = [
  [
    "two pairings with one id",
    { "/pairings/9/id": 102 },
    "#/pairings/9/id",
    "duplicate_id",
    "A pairing before this one has the id 102 too",
  ],
  [
    "two pairings of the same values",
    { "/pairings/9/values": [1, 2] },
    "#/pairings/9/values",
    "duplicate_pairing",
    "A pairing before this one joins values 1 and 2 too",
  ],
  [
    "a value paired with itself",
    { "/pairings/9/values": [4, 4] },
    "#/pairings/9/values",
    "pairing_order",
    "Value 4 cannot be paired with itself",
  ],
  [
    "a pairing with the higher id first",
    { "/pairings/9/values": [5, 4] },
    "#/pairings/9/values",
    "pairing_order",
    "Values 5 and 4 must be listed with the lower id first",
  ],
  [
    "a pairing with a value that is not there",
    { "/pairings/9/values": [4, 77] },
    "#/pairings/9/values/1",
    "unknown_value",
    "There is no value with the id 77",
  ],
  [
    "pairings without conflict",
    { "/pairings": soundDefinition().pairings.filter((pairing) => pairing.kind === "harmony") },
    "#/pairings",
    "missing_pairing_kind",
    "No pairing is of the kind conflict, so that every result would be unresolved",
  ],
];
