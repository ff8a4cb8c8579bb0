// What a run has for its tests: prepare.ts finds out, and hands it over through the environment.
import type { Extent } from "../../short-runs.ts";
import type { ProgramName } from "./programs.ts";

/** The variable that holds the path of a program. */
export const variableOf = (name: ProgramName) => `OUTSIDERS_${name.toUpperCase().replaceAll("-", "_")}`;

/** The path of a program; undefined where it cannot be had, which is said at the end of the run. */
export function pathOf(name: ProgramName): string | undefined {
  return process.env[variableOf(name)];
}

export function extent(): Extent {
  return process.env.TEST_EXTENT === "full" ? "full" : "short";
}
