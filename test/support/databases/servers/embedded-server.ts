// The server process of a data folder, for tests that kill it or see it end.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../until.ts";

/** The pid of the server of a data folder; undefined if none runs. */
export function serverPidOf(dataDir: string): number | undefined {
  const file = join(dataDir, "mysql", "server.pid");
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined;
  return pid !== undefined && isRunning(pid) ? pid : undefined;
}

/** Kills the server of a data folder, if one runs, and waits until it is gone. */
export async function killServerOf(dataDir: string): Promise<void> {
  const pid = serverPidOf(dataDir);
  if (pid === undefined) return;
  process.kill(pid, "SIGKILL");
  await until(() => !isRunning(pid));
}

/** A process that nobody has collected yet has ended too. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = existsSync("/proc/self/stat") ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
    return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}
