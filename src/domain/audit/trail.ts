// Writes the audit log: the records of a process form one chain, and concurrent records are stored together.
import { setImmediate as yieldToCalls } from "node:timers/promises";
import type { Clock, RandomBytes } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { dayMs } from "../../kernel/timers.ts";
import { newId } from "../identifiers.ts";
import { type AuditEntry, type AuditRecord, chainStart, recordHash } from "./record.ts";

/** Most calls whose records are stored by one statement. */
export const maxBatch = 32;
/** Most calls that wait to be recorded. */
const maxWaiting = 2_048;
const appendTimeoutMs = 5_000;
/** A chain takes records for a day at most, so that expired ones can be removed as a whole. */
export const chainLifetimeMs = dayMs;

export interface TrailDeps {
  readonly audit: { readonly append: (records: readonly AuditRecord[], signal: AbortSignal) => Promise<void> };
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Called after every statement: how many records it stored, and whether it succeeded. */
  readonly observeAppended?: (records: number, isStored: boolean) => void;
}

interface Waiting {
  readonly entries: readonly AuditEntry[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Link {
  readonly writer: string;
  readonly startedAt: number;
  readonly sequence: number;
  readonly hash: Uint8Array;
}

export class AuditTrail {
  readonly #deps: TrailDeps;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  /** The last link; undefined before the first one, and after a failure, when it is unknown what is stored. */
  #last: Link | undefined;

  constructor(deps: TrailDeps) {
    this.#deps = deps;
  }

  /** Stores the entries of one call. Resolves when they are stored. Throws `unavailable` if they cannot be. */
  record(entries: readonly AuditEntry[]): Promise<void> {
    if (this.#waiting.length >= maxWaiting) return Promise.reject(notRecorded());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entries, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when no record waits to be stored. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Further records queue up while the previous statement runs; waiting longer for more made all of them slower.
      await yieldToCalls();
      const batch = this.#waiting.splice(0, maxBatch);
      await this.#store(batch);
    }
    this.#running = undefined;
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    const { audit, observeAppended } = this.#deps;
    const { records, last } = this.#chained(batch.flatMap(({ entries }) => entries));
    // A batch only gets a successor if it is known to be stored.
    this.#last = undefined;
    try {
      if (records.length > 0) await audit.append(records, AbortSignal.timeout(appendTimeoutMs));
      this.#last = last;
      observeAppended?.(records.length, true);
      for (const { resolve } of batch) resolve();
    } catch (cause) {
      observeAppended?.(records.length, false);
      for (const { reject } of batch) reject(notRecorded(cause));
    }
  }

  #chained(entries: readonly AuditEntry[]): { records: AuditRecord[]; last: Link } {
    const now = this.#deps.clock();
    const at = new Date(now);
    let last = this.#continued(now);
    const records = entries.map((entry) => {
      const { writer, startedAt } = last;
      const record = { ...entry, writer, sequence: last.sequence + 1, at };
      const hash = recordHash(last.hash, record);
      last = { writer, startedAt, sequence: record.sequence, hash };
      return { ...record, hash };
    });
    return { records, last };
  }

  #continued(now: number): Link {
    if (this.#last !== undefined && now < this.#last.startedAt + chainLifetimeMs) return this.#last;
    const writer = newId(new Date(now), this.#deps.random);
    return { writer, startedAt: now, sequence: 0, hash: chainStart(writer) };
  }
}

function notRecorded(cause?: unknown): Refusal {
  const detail = "The call cannot be recorded in the audit log, and is answered only if it is.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1, cause });
}
