// Rules on the scoring constants.
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import type { DefinitionPart } from "../parts.ts";
import { repeats } from "./repeats.ts";

/** Tiers have unique names and ascending shares up to 1; the minimum numbers of values can be reached. */
export function checkScoring(parts: DefinitionPart): DefinitionFault[] {
  return [...nameFaults(parts), ...shareFaults(parts), ...minimumFaults(parts)];
}

function nameFaults({ scoring: { pointer, tiers, unranked } }: DefinitionPart): DefinitionFault[] {
  const all = [
    ...tiers.map((tier) => ({ pointer: `${tier.pointer}/name`, name: tier.name })),
    { pointer: `${pointer}/unranked`, name: unranked },
  ];
  return repeats(all, ({ name }) => (name === undefined ? undefined : fold(name))).map(({ entry }) => ({
    pointer: entry.pointer,
    code: "duplicate_name",
    message: `${quote(entry.name ?? "")} is the name of another tier`,
  }));
}

function shareFaults({ scoring: { tiers } }: DefinitionPart): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  let previous: readonly [number, number] | undefined;
  tiers.forEach(({ pointer, share }, index) => {
    const place = `${pointer}/share`;
    if (share !== undefined && previous !== undefined && share[0] * previous[1] <= previous[0] * share[1]) {
      const message = `Share ${share.join("/")} is not above the ${previous.join("/")} of the tier before`;
      faults.push({ pointer: place, code: "tier_order", message });
    }
    if (share !== undefined && index === tiers.length - 1 && share[0] !== share[1]) {
      const message = `Share of the last tier must be 1 (such as 4/4), not ${share.join("/")}`;
      faults.push({ pointer: place, code: "last_tier", message });
    }
    previous = share;
  });
  return faults;
}

function minimumFaults({ scoring, values }: DefinitionPart): DefinitionFault[] {
  const size = values.length;
  if (size === 0) return [];
  const minimum = (name: "minBaselineValues" | "minGapValues", title: string): DefinitionFault[] => {
    const threshold = scoring[name];
    if (threshold === undefined || threshold <= size) return [];
    const message = `${title} is ${threshold}, which the ${size} values of this definition can never reach`;
    return [{ pointer: `#/scoring/${name}`, code: "unreachable", message }];
  };
  return [...minimum("minBaselineValues", "Min baseline values"), ...minimum("minGapValues", "Min gap values")];
}
