// The programs that judge the service, as far as they can be had.
import { type Prepared, reasonOf } from "../support/run/suite.ts";
import { variableOf } from "./support/means.ts";
import { programNames, provideProgram } from "./support/programs.ts";

/** Builds or downloads each of them once. */
export async function prepareOutsiders(): Promise<Prepared> {
  const environment: Record<string, string> = {};
  const missing: string[] = [];
  for (const name of programNames) {
    try {
      environment[variableOf(name)] = await provideProgram(name, (line) => console.log(line));
    } catch (error) {
      missing.push(`by ${name}: ${reasonOf(error)}`);
    }
  }
  return { environment, missing };
}
