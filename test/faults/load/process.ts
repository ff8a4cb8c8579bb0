// The load process of the overload tests: requests at a steady rate, which do not wait for each other.
import type { Connection } from "../../bench/load/connections/connection.ts";
import { GrpcConnection } from "../../bench/load/connections/grpc-connection.ts";
import { HttpConnection } from "../../bench/load/connections/http-connection.ts";
import { restRequests } from "../../bench/load/requests.ts";
import { percentile } from "../../bench/report/statistics.ts";
import { answerParent } from "../../bench/servers/child.ts";
import type { LoadOrder, Stream, StreamReport } from "./orders.ts";

/** Refusals are many, and nobody reads where they were made. */
Error.stackTraceLimit = 0;

const tickMs = 2;
const refusal = /^status (429|503)\b|the call failed$/;

class Flow {
  readonly #stream: Stream;
  readonly #idle: Connection[] = [];
  readonly #accepted: number[] = [];
  readonly #refused: number[] = [];
  readonly #others: Record<string, number> = {};
  #sent = 0;
  #skipped = 0;
  #next = 0;
  #isOver = false;
  #running = 0;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  async open(): Promise<this> {
    const { target, connections } = this.#stream;
    const opened = Array.from({ length: connections }, () =>
      target.transport === "grpc"
        ? new GrpcConnection(target).opened()
        : new HttpConnection(target.port, restRequests(target), 64).opened(),
    );
    this.#idle.push(...(await Promise.all(opened)));
    return this;
  }

  async run(seconds: number): Promise<StreamReport> {
    const start = performance.now();
    const end = start + seconds * 1000;
    const { perSecond } = this.#stream;
    if (perSecond === undefined) {
      for (const connection of this.#idle.splice(0)) this.#send(connection, performance.now());
    }
    let due = start;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const now = performance.now();
        if (now >= end) {
          this.#isOver = true;
          if (this.#running > 0) return;
          clearInterval(timer);
          return resolve();
        }
        if (perSecond === undefined) return;
        for (; due <= now; due += 1000 / perSecond) this.#sendOrSkip(due);
      }, tickMs);
    });
    return this.#report(seconds);
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
  }

  #sendOrSkip(due: number): void {
    const connection = this.#idle.shift();
    if (connection === undefined) this.#skipped += 1;
    else this.#send(connection, due);
  }

  #send(connection: Connection, due: number): void {
    const { operation, subjects, perSecond } = this.#stream;
    const subject = subjects[this.#next++ % subjects.length] ?? "";
    this.#sent += 1;
    this.#running += 1;
    connection
      .send(operation, subject)
      .then(
        () => this.#accepted.push(performance.now() - due),
        (error: Error) => {
          if (refusal.test(error.message)) this.#refused.push(performance.now() - due);
          else this.#others[error.message] = (this.#others[error.message] ?? 0) + 1;
        },
      )
      .finally(() => {
        this.#running -= 1;
        if (perSecond === undefined && !this.#isOver) return this.#send(connection, performance.now());
        this.#idle.push(connection);
      });
  }

  #report(seconds: number): StreamReport {
    return {
      sent: this.#sent,
      skipped: this.#skipped,
      accepted: this.#accepted.length,
      refused: this.#refused.length,
      acceptedPerSecond: this.#accepted.length / seconds,
      acceptedP50Ms: percentile(this.#accepted, 0.5),
      acceptedP99Ms: percentile(this.#accepted, 0.99),
      refusedP50Ms: percentile(this.#refused, 0.5),
      refusedP99Ms: percentile(this.#refused, 0.99),
      others: this.#others,
    };
  }
}

answerParent(async ({ streams, seconds }: LoadOrder): Promise<StreamReport[]> => {
  const flows = await Promise.all(streams.map((stream) => new Flow(stream).open()));
  const reports = await Promise.all(flows.map((flow) => flow.run(seconds)));
  for (const flow of flows) flow.close();
  return reports;
});
