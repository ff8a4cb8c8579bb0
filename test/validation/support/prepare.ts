// R and Python for a run: found on this machine, or installed where that is possible.
import { howToGetR, missingOfR, packagesOfR } from "../../../tools/validation/kit.ts";
import { aptInstall, findProgram, provide } from "../../support/run/programs.ts";
import type { Prepared } from "../../support/run/suite.ts";

/** @throws Error where one is not here and cannot be installed */
export async function prepareR(): Promise<Prepared> {
  await provide("/usr/bin/python3");
  if (missingOfR().length === 0) return {};
  const aptGet = process.getuid?.() === 0 ? await findProgram("apt-get") : undefined;
  if (aptGet === undefined) throw new Error(`${missingOfR().join(", ")} not here: ${howToGetR}`);
  await aptInstall(aptGet, packagesOfR);
  return {};
}
