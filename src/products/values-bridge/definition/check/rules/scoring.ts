// Rules on the scoring constants.
import type { Definition } from "../../definition.ts";
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import { repeats } from "./repeats.ts";

/** Tiers have unique names and ascending shares up to 1; the minimum numbers of values can be reached. */
export function checkScoring(definition: Definition): DefinitionFault[] {
  return [...nameFaults(definition), ...shareFaults(definition), ...minimumFaults(definition)];
}

function nameFaults({ scoring: { tiers, unranked } }: Definition): DefinitionFault[] {
  const names = [...tiers.map(({ name }) => name), unranked];
  return repeats(names.map(fold)).map(({ index }) => ({
    pointer: index < tiers.length ? `#/scoring/tiers/${index}/name` : "#/scoring/unranked",
    code: "duplicate_name",
    message: `${quote(names[index] ?? "")} is the name of another tier`,
  }));
}

function shareFaults({ scoring: { tiers } }: Definition): DefinitionFault[] {
  return tiers.flatMap(({ share }, index): DefinitionFault[] => {
    const pointer = `#/scoring/tiers/${index}/share`;
    const previous = tiers[index - 1]?.share;
    const faults: DefinitionFault[] = [];
    if (previous !== undefined && share[0] * previous[1] <= previous[0] * share[1]) {
      const message = `Share ${share.join("/")} is not above the ${previous.join("/")} of the tier before`;
      faults.push({ pointer, code: "tier_order", message });
    }
    if (index === tiers.length - 1 && share[0] !== share[1]) {
      const message = `Share of the last tier must be 1 (such as 4/4), not ${share.join("/")}`;
      faults.push({ pointer, code: "last_tier", message });
    }
    return faults;
  });
}

function minimumFaults({ scoring, values: { length: size } }: Definition): DefinitionFault[] {
  const minimum = (name: "minBaselineValues" | "minGapValues", title: string): DefinitionFault[] => {
    if (scoring[name] <= size) return [];
    const message = `${title} is ${scoring[name]}, which the ${size} values of this definition can never reach`;
    return [{ pointer: `#/scoring/${name}`, code: "unreachable", message }];
  };
  return [...minimum("minBaselineValues", "Min baseline values"), ...minimum("minGapValues", "Min gap values")];
}
