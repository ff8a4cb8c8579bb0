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

export interface KitOptions {
  /** Files. */
  readonly export: string;
  readonly codebook: string;
  readonly criteria?: string | undefined;
  readonly retest?: boolean;
  /** Folder of what is written. */
  readonly out: string;
  readonly madeUp?: boolean;
  /** Of the bootstrap; 2000. */
  readonly draws?: number;
  /** Of the distances of the circle; 500. */
  readonly permutations?: number;
  /** Names of the sections to make; all. */
  readonly only?: readonly string[];
}

export interface KitEnd {
  /** 0; 2 for input that cannot be used, which the message says. */
  readonly status: number;
  readonly stderr: string;
}

/** Runs the kit. The same input gives the same output, byte for byte, with the same packages. */
export function runKit(options: KitOptions): KitEnd {
  const { export: exportFile, codebook, criteria, retest, out, madeUp, draws, permutations, only } = options;
  const given = [
    ...(criteria === undefined ? [] : [`--criteria=${criteria}`]),
    ...(retest === true ? ["--retest"] : []),
    ...(madeUp === true ? ["--made-up"] : []),
    ...(draws === undefined ? [] : [`--draws=${draws}`]),
    ...(permutations === undefined ? [] : [`--permutations=${permutations}`]),
    ...(only === undefined ? [] : [`--only=${only.join(",")}`]),
    `--out=${out}`,
  ];
  const program = fileURLToPath(new URL("r/main.R", import.meta.url));
  const { error, status, stderr } = spawnSync("Rscript", ["--vanilla", program, exportFile, codebook, ...given], {
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  return { status: status ?? 1, stderr };
}
