// A program of the cluster as a process of its own: started, killed by its id, started again on its ports.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { until } from "../../faults/support/system.ts";

export class Part {
  readonly name: string;
  readonly #command: readonly string[];
  readonly #folder: string;
  readonly #isReady: () => Promise<boolean>;
  #child: ChildProcess | undefined;

  /** @param folder for its log. @param isReady whether it answers; may throw */
  constructor(name: string, command: readonly string[], folder: string, isReady: () => Promise<boolean>) {
    this.name = name;
    this.#command = command;
    this.#folder = folder;
    this.#isReady = isReady;
  }

  /** Starts it, and resolves when it answers. */
  async start(): Promise<void> {
    const log = openSync(`${this.#folder}/${this.name.replaceAll("/", "_")}.log`, "a");
    // Vitess refuses to be root. In a user namespace it is nobody, and may read what root may. It ends with this process.
    const child = spawn("unshare", ["--user", "setpriv", "--pdeathsig", "KILL", ...this.#command], {
      env: { ...process.env, VTDATAROOT: this.#folder },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.#child = child;
    await until(`${this.name} that answers`, async () => {
      if (child.exitCode !== null) throw new Error(`${this.name} has ended, see ${this.#folder}`);
      return (await this.#isReady()) || undefined;
    });
  }

  async end(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
}

/** Whether a page of its HTTP port is answered with success. */
export async function answersHttp(port: number, path: string): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_000) })).ok;
}
