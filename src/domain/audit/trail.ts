// The audit log: its records, their place in a chain, and the trail that writes them. The records of a process form one chain,
// and concurrent records are stored together.
import { hash as digest } from "node:crypto";
import { setImmediate as yieldToCalls } from "node:timers/promises";
import { type Clock, dayMs, type RandomBytes } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { OperatorAction } from "../../kernel/rpc-options.ts";
import { createId } from "../identifiers.ts";
import { byteText, type Field, inColumn, nullable, type ObjectOf, partsOf, plain, uuid } from "../stored-fields.ts";

const entryFields = {
  /** The partner whose data or account it is about; null: no partner in particular. */
  partnerId: nullable(uuid),
  /** Null: an operator at the command line. */
  clientId: nullable(uuid),
  /** Noun and verb, such as `results.read`. */
  action: plain<string>(),
  sessionId: nullable(uuid),
  /** The client, webhook endpoint or group that it is about. */
  targetId: nullable(uuid),
  requestId: plain<string>(),
  /** `begun` before a change, `ok`, or the code of an error. */
  outcome: plain<string>(),
};

/** That a caller does or did something. Nothing in it names a person. */
export interface AuditEntry extends ObjectOf<typeof entryFields> {}

const bytes: Field<Uint8Array> = { write: (view: Uint8Array) => Buffer.from(view) };
export const headFields = {
  /** UUID of the chain. */
  writer: uuid,
  /** From 1, without gaps. */
  sequence: plain<number>(),
  /** SHA-256 over the previous hash and this record. */
  hash: bytes,
};

/** The last known record of a chain, which fixes all records before it. */
export interface ChainHead extends ObjectOf<typeof headFields> {}

export const recordFields = { ...headFields, ...entryFields, at: plain<Date>() };

/** An entry with its position. */
export interface AuditRecord extends ObjectOf<typeof recordFields> {}

/** A position in the order of a partner's records: by time, then by chain and position in it. */
export type AuditPosition = Pick<AuditRecord, "at" | "writer" | "sequence">;

/** The filter for records. */
export interface AuditRange {
  /** Inclusive. */
  readonly from: Date;
  /** Only records that come after this position, newest first. */
  readonly before: AuditPosition;
}

export const anchorFields = {
  /** From 1, without gaps. */
  sequence: plain<number>(),
  at: plain<Date>(),
  /** JSON, see `AnchorContent`. */
  content: byteText,
  /** SHA-256 over the previous hash and the content. */
  hash: plain<Uint8Array>(),
  /** Of the hash; null if there is no key. */
  signature: partsOf({ keyId: plain<Uint8Array>(), mac: inColumn("signature", plain<Uint8Array>()) }),
};

/** A link of the single chain that has the ends of all others that have grown. */
export interface Anchor extends ObjectOf<typeof anchorFields> {}

/** The previous hash of the first record of a chain. */
export function computeChainStart(writer: string): Uint8Array {
  return digest("sha256", `audit chain ${writer}`, "buffer");
}

/**
 * The hash of a record: SHA-256 over the previous hash of 32 bytes and the record as a JSON list, in UTF-8. The order of
 * the list must never change.
 */
export function computeRecordHash(before: Uint8Array, record: Omit<AuditRecord, "hash">): Uint8Array {
  const { writer, sequence, at, partnerId, clientId, action, sessionId, targetId, requestId, outcome } = record;
  const content = [writer, sequence, at.toISOString(), partnerId, clientId, action, sessionId, targetId];
  const text = JSON.stringify([...content, requestId, outcome]);
  return digest("sha256", Buffer.concat([before, Buffer.from(text)]), "buffer");
}

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
  /** Called after every statement that has stored nothing. */
  readonly observeAuditFailure?: (() => void) | undefined;
}

interface Waiting {
  readonly entries: readonly AuditEntry[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Link extends ChainHead {
  readonly startedAt: number;
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
    if (this.#waiting.length >= maxWaiting) return Promise.reject(notRecordedError());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entries, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when no record waits to be stored. */
  async waitUntilIdle(): Promise<void> {
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
    const { audit, observeAuditFailure } = this.#deps;
    try {
      const { records, last } = this.#link(batch.flatMap(({ entries }) => entries));
      // A batch only gets a successor if it is known to be stored.
      this.#last = undefined;
      if (records.length > 0) await audit.append(records, AbortSignal.timeout(appendTimeoutMs));
      this.#last = last;
      for (const { resolve } of batch) resolve();
    } catch (cause) {
      observeAuditFailure?.();
      for (const { reject } of batch) reject(notRecordedError(cause));
    }
  }

  #link(entries: readonly AuditEntry[]): { records: AuditRecord[]; last: Link } {
    const now = this.#deps.clock();
    const at = new Date(now);
    let last = this.#findLastLink(now);
    const records = entries.map((entry) => {
      const { writer, startedAt } = last;
      const record = { ...entry, writer, sequence: last.sequence + 1, at };
      const hash = computeRecordHash(last.hash, record);
      last = { writer, startedAt, sequence: record.sequence, hash };
      return { ...record, hash };
    });
    return { records, last };
  }

  #findLastLink(now: number): Link {
    if (this.#last !== undefined && now < this.#last.startedAt + chainLifetimeMs) return this.#last;
    const writer = createId(new Date(now), this.#deps.random);
    return { writer, startedAt: now, sequence: 0, hash: computeChainStart(writer) };
  }
}

function notRecordedError(cause?: unknown): Refusal {
  const detail =
    "The call could not be recorded in the audit log, and nothing is returned without a record. Repeat the request.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1, cause });
}

/** In place of a request's id. */
export const operatorRequestId = "command-line";

/** Runs an act that is recorded. Throws `unavailable` if it cannot be recorded, and what the act throws. */
export async function recordAct<T>(
  { trail }: { readonly trail: AuditTrail },
  { action, partnerId = null }: { readonly action: OperatorAction; readonly partnerId?: string | null },
  work: () => Promise<T>,
): Promise<T> {
  const nobody = { targetId: null, clientId: null, sessionId: null };
  const about = { ...nobody, partnerId, action, requestId: operatorRequestId };
  await trail.record([{ ...about, outcome: "begun" }]);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const outcome = error instanceof Refusal ? error.code : "internal";
    // The error of the act is more useful than the failure to record it.
    await trail.record([{ ...about, outcome }]).catch(() => undefined);
    throw error;
  }
  await trail.record([{ ...about, outcome: "ok" }]);
  return result;
}
