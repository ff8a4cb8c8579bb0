// The service as operators run it: a process of its own, which can be killed, frozen and started again on its ports.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { startOptions } from "../../../support/processes/command.ts";
import { freePort } from "../../../support/processes/free-port.ts";
import { residentMb, until } from "../system.ts";

const noLimits = {
  RATE_LIMIT_PER_MINUTE: "0",
  TOKEN_RATE_LIMIT_PER_MINUTE: "0",
  ADDRESS_RATE_LIMIT_PER_MINUTE: "0",
  HOSTED_RATE_LIMIT_PER_MINUTE: "0",
};

export class ServiceProcess {
  readonly httpUrl: string;
  readonly grpcAddress: string;
  readonly #args: readonly string[];
  #environment: Readonly<Record<string, string>>;
  readonly #logFile: string;
  #child: ChildProcess | undefined;

  private constructor(ports: readonly [number, number], args: readonly string[], environment: Record<string, string>) {
    const [http, grpc] = ports;
    this.httpUrl = `http://127.0.0.1:${http}`;
    this.grpcAddress = `127.0.0.1:${grpc}`;
    this.#args = args;
    this.#logFile = environment.LOG_FILE ?? "/dev/null";
    const { PATH = "", HOME = "" } = process.env;
    const own = { HTTP_PORT: String(http), GRPC_PORT: String(grpc), LOG_LEVEL: "warn", ...noLimits };
    this.#environment = { PATH, HOME, ...own, ...environment };
  }

  /** Starts the service and resolves when it is ready. */
  static async start(environment: Record<string, string>, ...args: string[]): Promise<ServiceProcess> {
    const service = new ServiceProcess([await freePort(), await freePort()], args, environment);
    await service.start();
    return service;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts it again on the same ports; resolves when it is ready. @param changed variables with other values from now on */
  async start(changed: Record<string, string> = {}): Promise<void> {
    this.#environment = { ...this.#environment, ...changed };
    const log = openSync(this.#logFile, "a");
    // Whatever becomes of the harness, no service stays behind.
    const command = [process.execPath, ...startOptions(), "src/main.js", "serve", ...this.#args];
    this.#child = spawn("setpriv", ["--pdeathsig", "KILL", ...command], {
      env: this.#environment,
      stdio: ["ignore", log, log],
    });
    await this.untilReady();
  }

  async untilReady(): Promise<void> {
    await until("a ready service", async () => {
      if (this.#child?.exitCode !== null) throw new Error(`the service ended with ${this.#child?.exitCode}`);
      return (await this.readiness()) === 200 ? true : undefined;
    });
  }

  /** Resolves when the service says that it is not ready. */
  async untilUnready(): Promise<void> {
    await until("a service that is not ready", async () => ((await this.readiness()) === 503 ? true : undefined));
  }

  /** The status of `/readyz`. */
  async readiness(): Promise<number> {
    return (await fetch(`${this.httpUrl}/readyz`, { signal: AbortSignal.timeout(60_000) })).status;
  }

  /** Sends a signal and resolves with the exit code when the process has ended; null where a signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, "exit");
    child.kill(signal);
    const [code] = await exited;
    return code as number | null;
  }

  residentMb(): number {
    return residentMb(this.pid);
  }
}
