// The new state of a delivery, and of its endpoint, after an attempt: a function of both and of the response. The times are
// those of docs/webhooks.md.
import { dayMs, hourMs, minuteMs } from "../../kernel/environment.ts";
import { hasSucceeded, type SendResult } from "./deliveries.ts";
import { downAfter, type Endpoint } from "./endpoint.ts";

/** Pauses before the second attempt, the third, and so on; after the last one an event is dead. */
const pausesMs = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;
/** Jitter of the pauses, so that deliveries which failed together are not retried together. */
const jitterShare = 0.2;

const firstProbeMs = 10_000;
const maxProbeMs = 10 * minuteMs;

const failingMs = 5 * dayMs;
const failingAfter = 10;

/** The pause of an endpoint whose secrets cannot be decrypted. */
const unreadablePauseMs = minuteMs;

/** The time that a process has for a claimed delivery: after that, another one sends it. */
export const claimMs = 20_000;

const maxConcurrency = 4;

/** The health of an endpoint. */
export type EndpointHealth = Pick<
  Endpoint,
  "failures" | "failingSince" | "pausedUntil" | "disabledReason" | "lastAnswered"
>;

/** Deliveries of an endpoint that are sent concurrently, each of another session. */
export function computeMaxConcurrent({ failures, lastAnswered }: Pick<Endpoint, "failures" | "lastAnswered">): number {
  return failures === 0 && lastAnswered === "yes" ? maxConcurrency : 1;
}

/** A delivery that is parked: retried at its time, waiting for an earlier event of its session without one, or dead. */
export interface ParkedDelivery {
  /** The attempts that count: those of a probe do not. */
  readonly attempts: number;
  readonly nextAt: Date | null;
  readonly deadAt: Date | null;
}

export interface Outcome {
  /** Undefined: it was accepted, and only its attempt is kept. */
  readonly delivery: ParkedDelivery | undefined;
  readonly health: EndpointHealth;
}

export interface OutcomeContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** By the clock that decides what is due. */
  readonly databaseNow: Date;
  /** Whether the clock is trusted: only then an endpoint is disabled by it. */
  readonly isTrusted: boolean;
  /** From 0 up to 1, at random. */
  readonly drawFraction: () => number;
}

/** @param attempts of the delivery before this one */
export function settleAttempt(
  attempts: number,
  health: EndpointHealth,
  result: SendResult,
  { now, databaseNow, isTrusted, drawFraction }: OutcomeContext,
): Outcome {
  const { status, error, retryAfterSeconds } = result;
  const unchangedDelivery = { attempts, nextAt: databaseNow, deadAt: null };
  const isDown = health.failures >= downAfter;
  if (hasSucceeded(result)) {
    const pausedUntil = isDown ? null : health.pausedUntil;
    return {
      delivery: undefined,
      health: { ...health, failures: 0, failingSince: null, pausedUntil, lastAnswered: "yes" },
    };
  }
  // The process stops: it is unknown whether it arrived.
  if (error === "stopped") return { delivery: unchangedDelivery, health };
  if (error === "unavailable") {
    return { delivery: { ...unchangedDelivery, nextAt: new Date(databaseNow.getTime() + pausesMs[0]) }, health };
  }
  // Another try would fail as well. Its session goes on, and a later release may send it if that is requested.
  if (error === "undescribable") {
    return { delivery: { attempts: attempts + 1, nextAt: null, deadAt: new Date(now) }, health };
  }
  if (error === "secret_unreadable") {
    return { delivery: unchangedDelivery, health: { ...health, pausedUntil: new Date(now + unreadablePauseMs) } };
  }
  const lastAnswered = status === null ? "no" : "yes";
  if (status === 410)
    return { delivery: unchangedDelivery, health: { ...health, disabledReason: "gone", lastAnswered } };
  // A Retry-After lengthens the pause of a failure, and never shortens it: 0 would be an endless loop.
  const hasRetryAfter = (status === 429 || status === 503) && retryAfterSeconds !== null;
  const askedUntil = hasRetryAfter ? now + 1000 * retryAfterSeconds : now;
  const pausedUntil = chooseLatestAfter(now, askedUntil, health.pausedUntil?.getTime());
  const delivery = isDown ? unchangedDelivery : settleFailure(attempts + 1, now, askedUntil, drawFraction());
  // Retries show the health of one event; first attempts show that of the endpoint.
  if (attempts > 0 && !isDown) return { delivery, health: { ...health, pausedUntil, lastAnswered } };
  const failures = health.failures + 1;
  const failingSince = health.failingSince ?? new Date(now);
  const nextHealth = { ...health, failures, failingSince, pausedUntil, lastAnswered } as const;
  if (isTrusted && failures >= failingAfter && now - failingSince.getTime() >= failingMs) {
    return { delivery, health: { ...nextHealth, disabledReason: "failing" } };
  }
  if (failures < downAfter) return { delivery, health: nextHealth };
  const probeAt = now + Math.min(maxProbeMs, firstProbeMs * 2 ** (failures - downAfter));
  return { delivery, health: { ...nextHealth, pausedUntil: chooseLatestAfter(now, probeAt, pausedUntil?.getTime()) } };
}

function settleFailure(attempts: number, now: number, askedUntil: number, fraction: number): ParkedDelivery {
  const pauseMs = pausesMs[attempts - 1];
  if (pauseMs === undefined) return { attempts, nextAt: null, deadAt: new Date(now) };
  const randomPauseMs = Math.round(pauseMs * (1 + jitterShare * (2 * fraction - 1)));
  return { attempts, nextAt: new Date(Math.max(now + randomPauseMs, askedUntil)), deadAt: null };
}

/** The latest of the times, if it is to come. */
function chooseLatestAfter(now: number, ...times: readonly (number | undefined)[]): Date | null {
  const latest = Math.max(now, ...times.map((time = 0) => time));
  return latest > now ? new Date(latest) : null;
}

/** The time for which an attempt is kept. */
export function attemptRetentionMs(isSuccess: boolean): number {
  return (isSuccess ? 3 : 30) * dayMs;
}
