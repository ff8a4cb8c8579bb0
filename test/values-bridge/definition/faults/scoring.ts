// Faults of the scoring constants.
import type { FaultCase } from "./fault-case.ts";

export const scoringFaults: readonly FaultCase[] = [
  [
    "two tiers with one name",
    { "/scoring/tiers/1/name": "Core" },
    "#/scoring/tiers/1/name",
    "duplicate_name",
    "'Core' is the name of another tier",
  ],
  [
    "unscored values named like a tier",
    { "/scoring/unranked": "other" },
    "#/scoring/unranked",
    "duplicate_name",
    "'other' is the name of another tier",
  ],
  [
    "tiers that do not ascend",
    { "/scoring/tiers/0/share": [3, 3] },
    "#/scoring/tiers/1/share",
    "tier_order",
    "Share 2/2 is not above the 3/3 of the tier before",
  ],
  [
    "a last tier that leaves values out",
    { "/scoring/tiers/1/share": [3, 4] },
    "#/scoring/tiers/1/share",
    "last_tier",
    "Share of the last tier must be 1 (such as 4/4), not 3/4",
  ],
  [
    "more baseline values than there are",
    { "/scoring/minBaselineValues": 6 },
    "#/scoring/minBaselineValues",
    "unreachable",
    "Min baseline values is 6, which the 5 values of this definition can never reach",
  ],
];
