// The programs that judge the service: their versions, and how they are had. They stay for later runs.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Extent } from "../../short-runs.ts";
import { findProgram } from "../../support/run/programs.ts";
import { run } from "./run.ts";

const folder = resolve("node_modules/.cache/outsiders");

interface Program {
  readonly from: keyof typeof binFolders | "PATH";
  /** A module of Go, or a package of Maven, npm or Python, with its version; or who has it. */
  readonly source: string;
  /** Its file, where that has another name. */
  readonly file?: string;
  /** Left out of a short run: it is compiled first, which takes a minute. */
  readonly isFullOnly?: true;
}

const programs = {
  go: { from: "PATH", source: "go.dev", isFullOnly: true },
  grpcurl: { from: "Go", source: "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4", isFullOnly: true },
  h2spec: { from: "Go", source: "github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible", isFullOnly: true },
  "openapi-generator": {
    from: "Maven",
    source: "org.openapitools:openapi-generator-cli:7.25.0",
    file: "openapi-generator-cli.jar",
  },
  newman: { from: "npm", source: "newman@6.2.2" },
  schemathesis: { from: "Python", source: "schemathesis==4.32.5" },
  verapdf: { from: "Maven", source: "org.verapdf.apps:greenfield-apps:1.28.2", file: "greenfield-apps.jar" },
} as const satisfies Record<string, Program>;

/** Where each kind has its programs. */
const binFolders = { Go: "bin", Maven: "maven", npm: "npm/node_modules/.bin", Python: "python/bin" } as const;

export type ProgramName = keyof typeof programs;

/** The programs of a full run, or of a short one, by where they come from. */
export function listPrograms(extent: Extent): readonly (readonly ProgramName[])[] {
  const all = Object.entries(programs) as [ProgramName, Program][];
  const rows = all.filter(([, { isFullOnly }]) => extent === "full" || isFullOnly !== true);
  return Object.values(Object.groupBy(rows, ([, { from }]) => from)).map((group) => group.map(([name]) => name));
}

/** The absolute path of a program, which is built or downloaded if it is not there yet. Throws where that fails. */
export async function provideProgram(name: ProgramName, say: (line: string) => void): Promise<string> {
  const { from, source, file = name }: Program = programs[name];
  if (from === "PATH") {
    const path = await findProgram(name);
    if (path === undefined) throw new Error(`there is no ${name} on this machine: ${source} has it`);
    return path;
  }
  const bin = join(folder, binFolders[from]);
  const path = join(bin, file);
  if (existsSync(path)) return path;
  say(`getting ${source}`);
  await mkdir(folder, { recursive: true });
  if (from === "Go") {
    await run("go", ["install", source], { GOBIN: bin });
  } else if (from === "Maven") {
    const copy = ["dependency:copy", `-Dartifact=${source}`, `-DoutputDirectory=${bin}`, "-Dmdep.stripVersion=true"];
    await run("mvn", ["--quiet", "--batch-mode", ...copy]);
  } else if (from === "npm") {
    await run("npm", [
      "install",
      "--prefix",
      join(folder, "npm"),
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      source,
    ]);
  } else {
    await run("python3", ["-m", "venv", join(folder, "python")]);
    await run(join(bin, "pip"), ["install", "--quiet", source]);
  }
  return path;
}
