// Rules on the scoring constants.
import { quote, type Report } from "../faults.ts";
import type { DefinitionPart } from "../parts.ts";
import { forRepeats } from "./repeats.ts";

/** Tiers have unique names and ascending shares up to 1; the minimum numbers of values can be reached. */
export function checkScoring({ scoring, values: { length: size } }: DefinitionPart, report: Report): void {
  const { pointer, tiers, unranked } = scoring;
  const names = tiers.map((tier) => ({ place: `${tier.pointer}/name`, name: tier.name }));
  forRepeats(
    [...names, { place: `${pointer}/unranked`, name: unranked }],
    ({ name }) => name,
    ({ place, name = "" }) => report(place, "duplicate_name", `${quote(name)} is the name of another tier`),
  );
  for (const [index, { pointer: place, share }] of tiers.entries()) {
    const before = tiers[index - 1]?.share;
    if (share !== undefined && before !== undefined && share[0] * before[1] <= before[0] * share[1]) {
      const message = `Share ${share.join("/")} is not above the ${before.join("/")} of the tier before`;
      report(`${place}/share`, "tier_order", message);
    }
    if (share !== undefined && index === tiers.length - 1 && share[0] !== share[1]) {
      report(`${place}/share`, "last_tier", `Share of the last tier must be 1 (such as 4/4), not ${share.join("/")}`);
    }
  }
  for (const [name, title] of [
    ["minBaselineValues", "Min baseline values"],
    ["minGapValues", "Min gap values"],
  ] as const) {
    const least = scoring[name];
    if (size === 0 || least === undefined || least <= size) continue;
    const message = `${title} is ${least}, which the ${size} values of this definition can never reach`;
    report(`${pointer}/${name}`, "unreachable", message);
  }
}
