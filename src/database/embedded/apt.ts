// Installing packages with apt-get, where that is possible.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

const maxOutputBytes = 64 << 20;
/** Another apt may be at work: how long to wait for it. */
const lockSeconds = 120;

/**
 * Installs packages without their recommendations; a refreshed package list is tried only when the one at hand does not
 * do. Needs root. Throws an error of one line when it fails.
 */
export async function aptInstall(aptGet: string, packages: readonly string[]): Promise<void> {
  const install = () => run(aptGet, "install", "--no-install-recommends", ...packages);
  try {
    await install().catch(() => run(aptGet, "update").then(install));
  } catch (error) {
    const lines = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n") : [];
    throw new Error(`${packages.join(", ")} could not be installed: ${lines.at(-1) || String(error)}`);
  }
}

function run(aptGet: string, ...args: string[]) {
  const options = ["-q", "-y", "-o", `DPkg::Lock::Timeout=${lockSeconds}`];
  // Nobody is there to answer a question.
  return execute("env", ["DEBIAN_FRONTEND=noninteractive", aptGet, ...options, ...args], { maxBuffer: maxOutputBytes });
}
