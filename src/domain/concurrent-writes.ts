// Serializes concurrent writers of one thing: a queue within this process, compare and swap against other processes; and creates
// one thing for each idempotency key.
import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Deadline, drawFraction, type MonotonicClock, type RandomBytes } from "../kernel/environment.ts";
import { details } from "../kernel/errors/details.ts";
import { Refusal, throwIfInvalid } from "../kernel/errors/refusal.ts";
import type { Violation } from "../kernel/errors/violation.ts";
import { Semaphore } from "../limits/semaphore.ts";
import type { IdempotencyKey } from "./sessions/session.ts";

/** Reserved for responding before the caller's own deadline. */
const responseMarginMs = 100;
const maxPauseMs = 64;

/**
 * Runs the attempt until it returns a result. Undefined means that another writer was faster: everything is read again.
 * Throws `conflict` when the deadline is near; then this call has stored nothing.
 */
export async function retryUntilStored<T>(
  deps: { readonly monotonic: MonotonicClock; readonly random: RandomBytes },
  deadline: Deadline,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  for (let conflicts = 0; ; conflicts += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
    const jitter = drawFraction(deps.random);
    const pauseMs = jitter * Math.min(maxPauseMs, 2 ** conflicts);
    if (deps.monotonic() + pauseMs > deadline.endsAt - responseMarginMs) {
      throw new Refusal("conflict", details.conflict);
    }
    await pause(pauseMs, undefined, { signal: deadline.signal });
  }
}

interface Creation<T> {
  readonly idempotency: IdempotencyKey | null;
  /** Of times. Thrown for a new key only: a repeated request gets its first response, even if its time has passed. */
  readonly violations: readonly Violation[];
  readonly insert: () => Promise<T | "key_taken">;
  readonly findByKey: (key: string) => Promise<(T & Pick<IdempotencyKey, "requestHash">) | undefined>;
}

/**
 * Creates something once for each idempotency key. @returns it, or what was created by the same key before
 * Throws `invalid_request`, `idempotency_key_reused` and `conflict`.
 */
export function createOnce<T extends object>(
  deps: { readonly monotonic: MonotonicClock; readonly random: RandomBytes },
  deadline: Deadline,
  { idempotency, violations, insert, findByKey }: Creation<T>,
): Promise<T> {
  return retryUntilStored(deps, deadline, async () => {
    const outcome = violations.length > 0 ? "key_taken" : await insert();
    if (outcome !== "key_taken") return outcome;
    const earlier = idempotency && (await findByKey(idempotency.key));
    if (!earlier) throwIfInvalid(violations);
    else if (!Buffer.from(earlier.requestHash).equals(idempotency.requestHash)) {
      throw new Refusal("idempotency_key_reused", details.idempotency_key_reused);
    }
    // Undefined if the key was removed in between: it is free again.
    return earlier ?? undefined;
  });
}

/**
 * SHA-256 of what a request means, by name. Undefined values are left out: a field that a later release adds changes no hash
 * that is stored.
 */
export function hashRequest(values: Readonly<Record<string, unknown>>): Uint8Array {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return hash("sha256", JSON.stringify(entries.sort()), "buffer");
}

/** For each key one task runs, and some wait; the keys are not limited together. */
const limits = {
  slots: Number.POSITIVE_INFINITY,
  slotsPerPartner: 1,
  queue: Number.POSITIVE_INFINITY,
  queuePerPartner: 127,
};

export class WriteQueue {
  readonly #tasks = new Semaphore(limits, () => {
    return new Refusal("unavailable", "Too many writes to this session are waiting.", { retryAfterSeconds: 1 });
  });

  /**
   * Runs the task after all earlier ones of the key have ended.
   * Refuses with `unavailable` if too many are waiting already; a task whose caller has left is not started.
   */
  run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    return this.#tasks.run({ partner: key, client: key }, signal, task);
  }
}
