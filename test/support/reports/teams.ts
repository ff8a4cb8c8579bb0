// Numbers of made-up groups, and what a team report is made of.
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import type {
  GroupMeasure,
  GroupNumbers,
  GroupValue,
} from "../../../src/products/values-bridge/groups/group-numbers.ts";
import type { TeamReportInput } from "../../../src/products/values-bridge/report/team/team-model.ts";

/** A measure. @param half half of the width of the interval */
export function measure(mean: number, sd: number, half: number): GroupMeasure {
  return { mean, sd, interval: [mean - half, mean + half], rwg: 0.8 };
}

/** Every value alike, but for those that a test names. */
export function numbersWith(
  definition: Definition,
  values: Readonly<Record<number, Partial<GroupValue>>>,
  more: Partial<GroupNumbers> = {},
): GroupNumbers {
  const plain = { ideal: measure(0, 12, 6), current: measure(0, 12, 6), gap: measure(3, 15, 8), uniform: false };
  return {
    members: 12,
    values: definition.values.map(({ id }) => ({ valueId: id, ...plain, ...values[id] })),
    ...{ totalGap: null, harmony: null, conflict: null },
    ...more,
  };
}

/** Numbers of which there is as much to say as there can be. */
export function busyNumbers(definition: Definition): GroupNumbers {
  const values = definition.values.map(({ id }, index) => {
    return [
      id,
      {
        ideal: measure(30 - 3 * index, index < 4 ? 2 : index < 15 ? 12 : 60, 2),
        gap: measure(index % 2 ? 20 : -20, 5, 5),
      },
    ] as const;
  });
  return numbersWith(definition, Object.fromEntries(values));
}

/** A team report in English, unless a test says otherwise. */
export function teamInput(definition: Definition, more: Partial<TeamReportInput> = {}): TeamReportInput {
  return {
    groupId: "019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e",
    definition,
    numbers: busyNumbers(definition),
    label: "Team <North>",
    closedAt: new Date("2026-11-21"),
    locales: ["en"],
    ...more,
  };
}
