// The programs that judge the service, as far as they can be had.
import type { Extent } from "../short-runs.ts";
import { type Prepared, reasonOf } from "../support/run/suite.ts";
import { variableOf } from "./support/means.ts";
import { listPrograms, type ProgramName, provideProgram } from "./support/programs.ts";

/** Builds or downloads each of them once: one of each kind at a time. */
export async function prepareOutsiders(extent: Extent): Promise<Prepared> {
  const environment: Record<string, string> = {};
  const missing: string[] = [];
  const provideAll = async (names: readonly ProgramName[]) => {
    for (const name of names) {
      try {
        environment[variableOf(name)] = await provideProgram(name, (line) => console.log(line));
      } catch (error) {
        missing.push(`by ${name}: ${reasonOf(error)}`);
      }
    }
  };
  await Promise.all(listPrograms(extent).map(provideAll));
  return { environment, missing };
}
