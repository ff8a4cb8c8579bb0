// Callers that play whole assessments over REST and gRPC and write down what they were told. A call that fails for a
// passing reason is repeated unchanged, or given up with its outcome unknown.

import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { answer } from "../../../e2e/cases/case.ts";
import { restTransport } from "../../../support/transports/rest-transport.ts";
import { grpcTransport } from "../../../support/transports/rpc-transport.ts";
import type { AnswerInput, Outcome, Transport } from "../../../support/transports/transports.ts";
import { until } from "../../../support/until.ts";
import { type Entry, Journal } from "./journal.ts";

const retryPauseMs = 40;
const batches = 3;
const patience = 0.7;

/** Thrown where a caller gives up, or is told to end. */
class GivenUp extends Error {}

export interface PlayersOptions {
  readonly httpUrl: string;
  readonly grpcAddress: string;
  readonly token: string;
  readonly count: number;
  /** In turn; REST and gRPC unless given. */
  readonly transports?: readonly ("rest" | "grpc")[];
  /** Resolves when another assessment arrives; without it, one begins when one has ended. */
  readonly arrival?: () => Promise<void>;
}

export class Players {
  readonly journal = new Journal();
  /** How often calls ended how: `ok`, a code of the error table, or `broken` for a connection that went away. */
  readonly outcomes = new Map<string, number>();
  /** The longest that any call took, in milliseconds. */
  slowestMs = 0;
  readonly #options: PlayersOptions;
  readonly #loops: Promise<void>[];
  #isEnding = false;
  #failingSince: number | undefined;
  #outageMs = 0;

  constructor(options: PlayersOptions) {
    this.#options = options;
    this.#loops = Array.from({ length: options.count }, (_, index) => this.#play(index));
    // Where assessments arrive at a rate, each reads one of before.
    if (options.arrival === undefined) this.#loops.push(this.#audit());
  }

  /** Resolves when so many more effects were acknowledged, or a violation was seen. */
  async untilAcknowledged(more: number): Promise<void> {
    const { journal } = this;
    const goal = journal.acknowledged + more;
    await until(() => journal.acknowledged >= goal || journal.violations.length > 0);
  }

  /** Lets every caller end what it is doing. */
  async end(): Promise<Journal> {
    this.#isEnding = true;
    await Promise.all(this.#loops);
    return this.journal;
  }

  /** The outcomes since the last call. */
  takeOutcomes(): Record<string, number> {
    const outcomes = Object.fromEntries(this.outcomes);
    this.outcomes.clear();
    return outcomes;
  }

  /** The longest time since this was last asked for in which every call failed, in milliseconds. */
  takeOutage(): number {
    const outageMs = this.#outageMs;
    this.#outageMs = 0;
    return outageMs;
  }

  async #play(index: number): Promise<void> {
    const { transports = ["rest", "grpc"], arrival } = this.#options;
    for (let count = 0; !this.#isEnding; count += 1) {
      await arrival?.();
      if (this.#isEnding) return;
      const entry = this.journal.begin(`person ${index} ${count % 5}`);
      const isPatient = Math.random() < patience;
      const caller = new Caller(this, this.#options, transports[index % transports.length] ?? "rest", isPatient);
      try {
        await this.#session(entry, caller);
        const earlier = arrival === undefined ? undefined : this.journal.someCompleted();
        if (earlier !== undefined) await this.#expectResults(earlier, caller);
      } catch (error) {
        this.#note(error);
        if (!(error instanceof GivenUp)) return;
      } finally {
        caller.close();
      }
    }
  }

  async #session(entry: Entry, caller: Caller): Promise<void> {
    const { journal } = this;
    const as = { token: this.#options.token };
    entry.unknown = { kind: "create", answers: [] };
    const created = await caller.call((transport) =>
      transport.createSession({ ...as, idempotencyKey: entry.key }, { subject: { externalId: entry.externalId } }),
    );
    const { sessionId } = created;
    entry.sessionId = sessionId;
    journal.acknowledge(entry, []);
    const questions = created.assessment?.questions ?? [];
    const someAnswers = (part: readonly { id: number }[]): AnswerInput[] =>
      part.map(({ id }) => answer(id, 1 + Math.floor(Math.random() * 7)));
    const size = Math.ceil(questions.length / batches);
    for (let batch = 0; batch < batches; batch += 1) {
      // Each batch changes some answers of the one before as well.
      const answers = someAnswers(questions.slice(Math.max(0, batch * size - 10), (batch + 1) * size));
      entry.unknown = { kind: "answers", answers };
      const { recorded } = await caller.call((transport) => transport.recordAnswers(as, sessionId, { answers }));
      if (recorded !== answers.length) journal.violations.push(`recorded ${recorded} of ${answers.length}`);
      journal.acknowledge(entry, answers);
    }
    const last = someAnswers(questions.slice(0, 5));
    entry.unknown = { kind: "completion", answers: last };
    const { results } = await caller.call((transport) => transport.completeSession(as, sessionId, { answers: last }));
    entry.results = results ?? undefined;
    journal.acknowledge(entry, last);
    await this.#expectResults(entry, caller);
  }

  /** Reads again and again what was acknowledged: it must never be gone, not even for a moment. */
  async #audit(): Promise<void> {
    const caller = new Caller(this, this.#options, "rest", true);
    while (!this.#isEnding) {
      const entry = this.journal.someCompleted();
      if (entry === undefined) await pause(retryPauseMs);
      else await this.#expectResults(entry, caller).catch((error) => this.#note(error));
    }
  }

  #note(error: unknown): void {
    if (!(error instanceof GivenUp)) this.journal.violations.push(String(error));
  }

  async #expectResults({ sessionId = "", results }: Entry, caller: Caller): Promise<void> {
    const read = await caller.call((transport) =>
      transport.getSessionResults({ token: this.#options.token }, sessionId),
    );
    if (!isDeepStrictEqual(read.results, results))
      this.journal.violations.push(`${sessionId} has other results than acknowledged`);
  }

  /** Notes the end of a call. */
  note(outcome: string, elapsedMs: number): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.slowestMs = Math.max(this.slowestMs, elapsedMs);
    const now = performance.now();
    if (outcome === "ok") this.#failingSince = undefined;
    else {
      this.#failingSince ??= now - elapsedMs;
      this.#outageMs = Math.max(this.#outageMs, now - this.#failingSince);
    }
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }
}

/** One caller's connection to a transport, made anew after it broke. */
class Caller {
  readonly #players: Players;
  readonly #open: () => Transport;
  readonly #isPatient: boolean;
  #transport: Transport;

  constructor(players: Players, { httpUrl, grpcAddress }: PlayersOptions, name: "rest" | "grpc", isPatient: boolean) {
    this.#players = players;
    this.#open = () => (name === "rest" ? restTransport(httpUrl) : grpcTransport(grpcAddress));
    this.#isPatient = isPatient;
    this.#transport = this.#open();
  }

  close(): void {
    this.#transport.close();
  }

  /** Calls until there is an answer. Throws `GivenUp`, or an error for an answer that nobody should get. */
  async call<T>(work: (transport: Transport) => Promise<Outcome<T>>): Promise<T> {
    for (;;) {
      const start = performance.now();
      const outcome = await work(this.#transport).catch(brokenConnection);
      const name = nameOf(outcome);
      this.#players.note(name, performance.now() - start);
      if (outcome !== "broken" && outcome.ok) return outcome.body;
      if (!passing.has(name)) throw new Error(`a caller was told ${name}`);
      if (outcome !== "broken" && name === "unavailable" && !(Number(outcome.retryAfterSeconds) >= 1)) {
        throw new Error("a caller was told unavailable without a time to wait");
      }
      if (!this.#isPatient || this.#players.isEnding) throw new GivenUp();
      if (name === "broken") {
        this.#transport.close();
        this.#transport = this.#open();
      }
      await pause(retryPauseMs * (0.5 + Math.random()));
    }
  }
}

const passing: ReadonlySet<string> = new Set([
  "broken",
  "unavailable",
  "deadline_exceeded",
  "rate_limited",
  "conflict",
]);

/** What fetch throws where the connection broke; any other error is a fault in an answer. */
function brokenConnection(error: unknown): "broken" {
  if (error instanceof TypeError) return "broken";
  throw error;
}

function nameOf(outcome: Outcome<unknown> | "broken"): string {
  if (outcome === "broken") return "broken";
  if (outcome.ok) return "ok";
  // Without details it is the client library that speaks: of its connection, or of its own deadline.
  if (outcome.code === "grpc Unavailable" || outcome.code === "grpc Canceled") return "broken";
  return outcome.code === "grpc DeadlineExceeded" ? "deadline_exceeded" : outcome.code;
}
