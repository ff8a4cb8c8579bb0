// A partner's receiver of webhooks: the program that docs/webhooks.md shows, as a process of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { bodyOf } from "../../../e2e/cases/case.ts";
import { freePort } from "../../../support/processes/free-port.ts";
import { endProcess } from "../../../support/processes/server-process.ts";
import { restTransport } from "../../../support/transports/rest-transport.ts";
import { until } from "../../../support/until.ts";
import type { EventName } from "./event-log.ts";

const types = ["session.created", "session.started", "session.completed", "session.scored"];

/** The TypeScript of the document. */
function documentedProgram(): string {
  const [, program] = /```ts\n([\s\S]*?)```/.exec(readFileSync("docs/webhooks.md", "utf8")) ?? [];
  if (program === undefined) throw new Error("docs/webhooks.md shows no TypeScript");
  return program;
}

export class PartnerReceiver {
  readonly endpointId: string;
  /** What it printed: each event that it had not known before. */
  readonly names: EventName[] = [];
  readonly #port: number;
  readonly #secret: string;
  #child: ChildProcess | undefined;

  private constructor(endpointId: string, secret: string, port: number) {
    this.endpointId = endpointId;
    this.#secret = secret;
    this.#port = port;
  }

  /** Makes an endpoint, and starts the program behind it until the test ends. */
  static async open({ httpUrl }: { httpUrl: string }, token: string): Promise<PartnerReceiver> {
    const port = await freePort();
    const input = { url: `http://127.0.0.1:${port}/webhooks`, types };
    const creation = await restTransport(httpUrl).createWebhookEndpoint({ token }, input);
    const { endpoint, secret } = bodyOf(creation);
    const receiver = new PartnerReceiver(endpoint.endpointId, secret, port);
    onTestFinished(() => receiver.stop());
    await receiver.start();
    return receiver;
  }

  async start(): Promise<void> {
    const { PATH = "", HOME = "" } = process.env;
    const env = { PATH, HOME, PORT: String(this.#port), WEBHOOK_SECRET: this.#secret };
    const command = [process.execPath, "--input-type=module-typescript", "--eval", documentedProgram()];
    const child = spawn("setpriv", ["--pdeathsig", "KILL", ...command], { env, stdio: ["ignore", "pipe", "inherit"] });
    createInterface({ input: child.stdout }).on("line", (line) => this.names.push(line));
    this.#child = child;
    await until(async () => (await fetch(`http://127.0.0.1:${this.#port}/`, { method: "POST" })).status);
  }

  /** What it knows is lost, as is the program's way. */
  stop(): Promise<void> {
    return endProcess(this.#child);
  }

  /** Resolves when so many events have come. */
  async untilKnown(count: number): Promise<void> {
    await until(() => this.names.length >= count);
  }
}
