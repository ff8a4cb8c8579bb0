// The service as operators run it: a process of its own, which can be killed, frozen and started again on its ports.
import { type RunningCommand, startPas } from "../../../support/processes/command.ts";
import { freePort } from "../../../support/processes/free-port.ts";
import { noLimits } from "../../../support/processes/settings.ts";
import { until } from "../../../support/until.ts";

export class ServiceProcess {
  readonly httpUrl: string;
  readonly grpcAddress: string;
  readonly #args: readonly string[];
  #environment: Readonly<Record<string, string>>;
  #running: RunningCommand | undefined;

  private constructor(ports: readonly [number, number], args: readonly string[], environment: Record<string, string>) {
    const [http, grpc] = ports;
    this.httpUrl = `http://127.0.0.1:${http}`;
    this.grpcAddress = `127.0.0.1:${grpc}`;
    this.#args = args;
    const own = { HTTP_PORT: String(http), GRPC_PORT: String(grpc), LOG_LEVEL: "warn", ...noLimits };
    this.#environment = { ...own, ...environment };
  }

  /** Starts the service and resolves when it is ready. */
  static async start(environment: Record<string, string>, ...args: string[]): Promise<ServiceProcess> {
    const service = new ServiceProcess([await freePort(), await freePort()], args, environment);
    await service.start();
    return service;
  }

  get pid(): number {
    return this.#running?.pid ?? 0;
  }

  /** Starts it again on the same ports; resolves when it is ready. @param variables variables with other values from now on */
  async start(variables: Record<string, string> = {}): Promise<void> {
    this.#environment = { ...this.#environment, ...variables };
    this.#running = startPas(["serve", ...this.#args], this.#environment, { diesWithParent: true });
    await this.untilReady();
  }

  async untilReady(): Promise<void> {
    const running = this.#running;
    if (running === undefined) throw new Error("the service was not started");
    const died = running.ended.then((code) => {
      throw new Error(`the service ended with ${code}: ${running.output().stderr}`);
    });
    died.catch(() => undefined);
    await Promise.race([until(async () => (await this.readiness()) === 200), died]);
  }

  /** Resolves when the service says that it is not ready. */
  async untilUnready(): Promise<void> {
    await until(async () => (await this.readiness()) === 503);
  }

  /** The status of `/readyz`. */
  async readiness(): Promise<number> {
    return (await fetch(`${this.httpUrl}/readyz`, { signal: AbortSignal.timeout(60_000) })).status;
  }

  /** Sends a signal and resolves with the exit code when the process has ended; null where a signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#running?.kill(signal);
    return (await this.#running?.ended) ?? null;
  }
}
