// The new state of a delivery, and of its endpoint, after an attempt: a function of both and of the response.
import { hasSucceeded, type SendResult } from "./deliveries.ts";
import { downAfter, isFailing, probePauseMs, retryPauseMs, unreadableRestMs } from "./delivery-policy.ts";
import type { Endpoint } from "./endpoint.ts";

/** The health of an endpoint. */
export type EndpointHealth = Pick<Endpoint, "failures" | "failingSince" | "restUntil" | "disabledReason" | "answering">;

const maxWidth = 4;

/** Deliveries of an endpoint that are sent concurrently, each of another session. */
export function widthOf({ failures, answering }: Pick<EndpointHealth, "failures" | "answering">): number {
  return failures === 0 && answering === "yes" ? maxWidth : 1;
}

/** A delivery that stays: pending until its time, waiting for an earlier event of its session without one, or dead. */
export interface OpenDelivery {
  /** The attempts that count: those of a probe do not. */
  readonly attempts: number;
  readonly nextAt: Date | null;
  readonly deadAt: Date | null;
}

export interface Outcome {
  /** Undefined: it was accepted, and only its attempt is kept. */
  readonly delivery: OpenDelivery | undefined;
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
  readonly fraction: number;
}

/** @param attempts of the delivery before this one */
export function afterAttempt(
  attempts: number,
  health: EndpointHealth,
  result: SendResult,
  { now, databaseNow, isTrusted, fraction }: OutcomeContext,
): Outcome {
  const { status, error, retryAfterSeconds } = result;
  const again = { attempts, nextAt: databaseNow, deadAt: null };
  const isDown = health.failures >= downAfter;
  if (hasSucceeded(result)) {
    const restUntil = isDown ? null : health.restUntil;
    return {
      delivery: undefined,
      health: { ...health, failures: 0, failingSince: null, restUntil, answering: "yes" },
    };
  }
  // The process stops: it is unknown whether it arrived.
  if (error === "stopped") return { delivery: again, health };
  if (error === "secret_unreadable") {
    return { delivery: again, health: { ...health, restUntil: new Date(now + unreadableRestMs) } };
  }
  const answering = status === null ? "no" : "yes";
  if (status === 410) return { delivery: again, health: { ...health, disabledReason: "gone", answering } };
  if ((status === 429 || status === 503) && retryAfterSeconds !== null) {
    const restUntil = new Date(now + 1000 * retryAfterSeconds);
    return { delivery: again, health: { ...health, restUntil, answering } };
  }
  const delivery = isDown ? again : afterFailure(attempts + 1, now, fraction);
  // Retries show the health of one event; first attempts show that of the endpoint.
  if (attempts > 0 && !isDown) return { delivery, health: { ...health, answering } };
  const failures = health.failures + 1;
  const failingSince = health.failingSince ?? new Date(now);
  const counted = { ...health, failures, failingSince, answering } as const;
  if (isTrusted && isFailing(failures, failingSince, now)) {
    return { delivery, health: { ...counted, disabledReason: "failing" } };
  }
  const restUntil = failures >= downAfter ? new Date(now + probePauseMs(failures)) : health.restUntil;
  return { delivery, health: { ...counted, restUntil } };
}

function afterFailure(attempts: number, now: number, fraction: number): OpenDelivery {
  const pauseMs = retryPauseMs(attempts, fraction);
  return pauseMs === undefined
    ? { attempts, nextAt: null, deadAt: new Date(now) }
    : { attempts, nextAt: new Date(now + pauseMs), deadAt: null };
}
