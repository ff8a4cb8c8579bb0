// A process of the service that is killed or frozen at a chosen statement, after the database got it and before the
// process gets the answer: the worst point there is.
import { onTestFinished } from "vitest";
import { type DatabaseProxy, startDatabaseProxy } from "../../../support/databases/database-proxy.ts";
import type { Stage } from "../stage.ts";
import { ServiceProcess } from "./service.ts";

export class Victim {
  readonly #process: ServiceProcess;
  readonly #proxy: DatabaseProxy;
  /** How its worst statement begins. */
  readonly #statement: string;

  private constructor(process: ServiceProcess, proxy: DatabaseProxy, statement: string) {
    this.#process = process;
    this.#proxy = proxy;
    this.#statement = statement;
  }

  /** Starts a process beside the stage's own, until the test ends. */
  static async start(stage: Stage, role: "core" | "deliver", statement: string): Promise<Victim> {
    const { database, environment } = stage;
    const proxy = await startDatabaseProxy(database.target);
    const DATABASE_URL = database.urlThrough(proxy.port);
    const process = await ServiceProcess.start({ ...environment, DATABASE_URL }, "--role", role);
    onTestFinished(async () => {
      await process.end("SIGKILL");
    });
    return new Victim(process, proxy, statement);
  }

  /** Resolves when it was killed at its worst statement. */
  async killed(): Promise<void> {
    await this.#struck("SIGKILL");
    await this.#process.end("SIGKILL");
  }

  /** Resolves when it was frozen there. */
  frozen(): Promise<void> {
    return this.#struck("SIGSTOP");
  }

  /** Lets it go on as if nothing had happened. */
  thaw(): void {
    process.kill(this.#process.pid, "SIGCONT");
  }

  /** Starts it again. */
  start(): Promise<void> {
    return this.#process.start();
  }

  #struck(signal: NodeJS.Signals): Promise<void> {
    return new Promise((resolve) => {
      this.#proxy.choose = (statement) => {
        if (!statement.startsWith(this.#statement)) return undefined;
        this.#proxy.choose = () => undefined;
        process.kill(this.#process.pid, signal);
        resolve();
        return undefined;
      };
    });
  }
}
