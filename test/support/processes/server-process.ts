// Servers of other projects as processes of a test: killed by their ids, and started again on their ports.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { until } from "../until.ts";
import type { Environment } from "./command.ts";

interface ServerOptions {
  readonly name: string;
  /** The program with its arguments. */
  readonly command: readonly string[];
  /** Gets what it writes. */
  readonly logFile: string;
  /** Variables beside those of this process. */
  readonly environment?: Environment;
  /** Whether it answers; may throw. */
  readonly isReady: () => Promise<boolean>;
}

/** A server that ends with this process at the latest. */
export class ServerProcess {
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts it, and resolves when it answers. */
  async start(): Promise<void> {
    const { name, command, logFile, environment, isReady } = this.#options;
    const log = openSync(logFile, "a");
    const env = { ...process.env, ...environment };
    const child = spawn("setpriv", ["--pdeathsig", "KILL", ...command], { env, stdio: ["ignore", log, log] });
    closeSync(log);
    this.#child = child;
    await until(async () => {
      if (hasEnded(child)) throw new Error(`${name} has ended, see ${logFile}`);
      return await isReady();
    });
  }

  /** Ends it with a signal, unless it has ended. */
  async end(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
    await endProcess(this.#child, signal);
  }
}

/** Ends a process, unless it has ended, and resolves when it is gone. */
export async function endProcess(child: ChildProcess | undefined, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (child === undefined || hasEnded(child)) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
