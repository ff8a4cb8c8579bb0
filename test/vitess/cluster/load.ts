// Whole assessments of many partners that arrive at a rate of their own, whatever becomes of the ones before.
import { setTimeout as pause } from "node:timers/promises";
import type { Journal } from "../../faults/support/callers/journal.ts";
import { Players } from "../../faults/support/callers/players.ts";
import { FeedReader } from "../../faults/support/events/feed-reader.ts";
import { until } from "../../support/until.ts";
import type { Caller } from "./service.ts";

const tickMs = 20;
/** Assessments that have arrived and not begun; what comes beyond is not begun at all. */
const maxWaiting = 8;
/** Assessments of a partner at a time. */
const atOnce = 2;

/** What a partner had to bear. */
export interface Seen {
  /** Calls by how they ended. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** From the first to the last of calls that failed, one after the other, of the partner with which that took longest. */
  readonly longestOutageSeconds: number;
  readonly slowestCallSeconds: number;
  /** Assessments that arrived when too many waited already. */
  readonly skipped: number;
}

export class Load {
  readonly players: readonly Players[];
  readonly readers: readonly FeedReader[];
  readonly #waiting: (() => void)[] = [];
  #due = 0;
  #skipped = 0;
  #isOver = false;
  readonly #clock: Promise<void>;

  constructor(callers: readonly Caller[], perSecond: number) {
    const arrival = () => this.#arrival();
    this.readers = callers.map(({ httpUrl, token }) => new FeedReader(httpUrl, token));
    this.players = callers.map(
      ({ httpUrl, token }) =>
        new Players({ httpUrl, grpcAddress: "", token, count: atOnce, transports: ["rest"], arrival }),
    );
    this.#clock = this.#run(perSecond);
  }

  get acknowledged(): number {
    return this.players.reduce((sum, { journal }) => sum + journal.acknowledged, 0);
  }

  get violations(): string[] {
    return [...this.players.map(({ journal }) => journal), ...this.readers].flatMap(({ violations }) => violations);
  }

  /** Resolves when every partner has had so many more effects acknowledged, or a violation was seen. */
  async untilEach(more: number): Promise<void> {
    const goals = this.players.map(({ journal }) => journal.acknowledged + more);
    const isEnough = () =>
      this.violations.length > 0 ||
      this.players.every(({ journal }, index) => journal.acknowledged >= (goals[index] ?? 0));
    await until(isEnough);
  }

  /** Resolves when a call has failed since `take` was last called, or a violation was seen. */
  async untilTrouble(): Promise<void> {
    const hasFailed = ({ outcomes }: Players) => [...outcomes.keys()].some((name) => name !== "ok");
    await until(() => this.players.some(hasFailed) || this.violations.length > 0);
  }

  /** Since the last call. */
  take(): Seen {
    const outcomes = new Map<string, number>();
    let [outage, slowest] = [0, 0];
    for (const player of this.players) {
      outage = Math.max(outage, player.takeOutage());
      slowest = Math.max(slowest, player.slowestMs);
      player.slowestMs = 0;
      for (const [name, count] of Object.entries(player.takeOutcomes())) {
        outcomes.set(name, (outcomes.get(name) ?? 0) + count);
      }
    }
    const skipped = this.#skipped;
    this.#skipped = 0;
    return {
      outcomes: Object.fromEntries([...outcomes].toSorted()),
      longestOutageSeconds: outage / 1000,
      slowestCallSeconds: slowest / 1000,
      skipped,
    };
  }

  /** Lets what runs come to its end; by partner, in their order. Readers go on. */
  async end(): Promise<Journal[]> {
    this.#isOver = true;
    await this.#clock;
    for (const begin of this.#waiting.splice(0)) begin();
    return Promise.all(this.players.map((player) => player.end()));
  }

  async endReaders(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.end()));
  }

  #arrival(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    if (this.#due > 0) {
      this.#due -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #run(perSecond: number): Promise<void> {
    const start = performance.now();
    for (let arrived = 0; !this.#isOver; ) {
      for (; arrived < ((performance.now() - start) / 1000) * perSecond; arrived += 1) {
        const begin = this.#waiting.shift();
        if (begin !== undefined) begin();
        else if (this.#due < maxWaiting) this.#due += 1;
        else this.#skipped += 1;
      }
      await pause(tickMs);
    }
  }
}
