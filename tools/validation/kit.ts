// The R programs of the kit, and what they need.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const rPackages = ["boot", "GPArotation", "jsonlite", "lavaan", "MASS", "psych", "vegan"] as const;

/** Packages of Debian and Ubuntu. */
export const packagesOfR = ["r-base-core", ...rPackages.map((name) => `r-cran-${name.toLowerCase()}`)];

/** The one command there. */
export const howToGetR = `apt-get install --no-install-recommends ${packagesOfR.join(" ")}`;

/** What the kit needs and is not here; empty: nothing. */
export function missingOfR(): readonly string[] {
  const script = "cat(Filter(function(p) !requireNamespace(p, quietly = TRUE), commandArgs(TRUE)))";
  const { error, status, stdout } = spawnSync("Rscript", ["-e", script, ...rPackages], { encoding: "utf8" });
  if (error !== undefined || status !== 0) return ["Rscript"];
  return stdout.split(" ").filter((name) => name !== "");
}

export interface KitEnd {
  /** 0; 2 for input that cannot be used, which the message says. */
  readonly status: number;
  /** The files that were written. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the kit, whose options r/main.R reads. The same input gives the same output, byte for byte, with the same packages. */
export function runKit(options: readonly string[]): KitEnd {
  const program = fileURLToPath(new URL("r/main.R", import.meta.url));
  const { error, status, stdout, stderr } = spawnSync("Rscript", ["--vanilla", program, ...options], {
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  return { status: status ?? 1, stdout, stderr };
}
