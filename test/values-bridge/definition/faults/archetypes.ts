// Faults of archetypes.
import { soundDefinition } from "../../../support/values-bridge/definition.ts";
import type { FaultCase } from "./fault-case.ts";

export const archetypesFaults: readonly FaultCase[] = [
  [
    "two archetypes with one id",
    { "/archetypes/3/id": 1 },
    "#/archetypes/3/id",
    "duplicate_id",
    "An archetype before this one has the id 1 too",
  ],
  [
    "the unresolved archetype with the id of another",
    { "/unresolvedArchetype/id": 3 },
    "#/unresolvedArchetype/id",
    "duplicate_id",
    "An archetype before this one has the id 3 too",
  ],
  [
    "two archetypes with one name",
    { "/archetypes/3/name": "near" },
    "#/archetypes/3/name",
    "duplicate_name",
    "An archetype before this one is named 'near' too",
  ],
  [
    "the unresolved archetype with the name of another",
    { "/unresolvedArchetype/name": "Bound" },
    "#/unresolvedArchetype/name",
    "duplicate_name",
    "An archetype before this one is named 'Bound' too",
  ],
  [
    "gaps that two archetypes claim",
    { "/archetypes/2/gapFrom": 17.5 },
    "#/archetypes/2/gapFrom",
    "overlapping_bands",
    "Archetypes 1 and 3 both claim gaps from 17.5 to 20 with direction focused",
  ],
  [
    "gaps between two archetypes",
    { "/archetypes/1/gapBelow": 17 },
    "#/archetypes",
    "uncovered_gaps",
    "No archetype covers gaps from 17 to 20 with direction plural",
  ],
  [
    "gaps above the last archetype",
    { "/archetypes/3/gapBelow": 90 },
    "#/archetypes",
    "uncovered_gaps",
    "No archetype covers gaps from 90 to 100 with direction plural",
  ],
  [
    "a last archetype that leaves out the greatest gap",
    { "/archetypes/3/gapBelow": 100 },
    "#/archetypes",
    "uncovered_gaps",
    "No archetype covers a gap of 100 itself with direction plural",
  ],
  [
    "a direction without archetypes",
    { "/archetypes": soundDefinition().archetypes.filter((archetype) => archetype.direction === "focused") },
    "#/archetypes",
    "uncovered_gaps",
    "No archetype covers gaps from 0 to 100 with direction plural",
  ],
  [
    "an archetype that claims nothing",
    { "/archetypes/4": { id: 6, name: "Nil", gapFrom: 30, gapBelow: 30, direction: "plural", summary: "None." } },
    "#/archetypes/4/gapBelow",
    "empty_band",
    "Archetype 6 claims no gap: it starts at 30 and ends below 30",
  ],
];
