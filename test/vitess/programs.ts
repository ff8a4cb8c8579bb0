// The programs of Vitess, and etcd for its topology: built from their Go modules, once for all runs.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

export const vitessVersion = "v0.24.2";
/** That of the client which Vitess is built with. */
export const etcdVersion = "v3.6.10";
const cache = resolve("node_modules/.cache/vitess", vitessVersion);

const ofVitess = ["vtcombo", "vtgate", "vttablet", "vtctld", "vtctldclient"] as const;
export type ProgramName = (typeof ofVitess)[number] | "etcd";

/** Of what a cluster of processes is made. */
export const clusterPrograms = ["etcd", "vtctld", "vtctldclient", "vtgate", "vttablet"] as const;

/**
 * The absolute paths of programs. Building them takes minutes, Go with its module proxy, and 3 GB. Throws where that fails.
 */
export async function providePrograms<Name extends ProgramName>(
  names: readonly Name[],
  say: (line: string) => void,
): Promise<Readonly<Record<Name, string>>> {
  const paths = Object.fromEntries(names.map((name) => [name, join(cache, name)])) as Record<Name, string>;
  const missing = names.filter((name) => !existsSync(paths[name]));
  if (missing.length === 0) return paths;
  say(`building ${missing.join(", ")} of Vitess ${vitessVersion} and etcd ${etcdVersion}: once, some minutes`);
  await mkdir(cache, { recursive: true });
  const module = await mkdtemp(join(cache, "module-"));
  const go = (...args: string[]) => promisify(execFile)("go", args, { cwd: module, maxBuffer: 16 << 20 });
  try {
    await go("mod", "init", "vitess-of-tests");
    await go("get", ...missing.map((name) => `${packageOf(name)}@${name === "etcd" ? etcdVersion : vitessVersion}`));
    for (const name of missing) {
      await go("build", "-o", join(module, name), packageOf(name));
      await rename(join(module, name), paths[name]);
    }
  } finally {
    await rm(module, { recursive: true });
  }
  return paths;
}

function packageOf(name: ProgramName): string {
  return name === "etcd" ? "go.etcd.io/etcd/server/v3" : `vitess.io/vitess/go/cmd/${name}`;
}
