// A further secret for a webhook endpoint.

import { setTimeout } from "node:timers/promises";
import type { Deadline } from "../../kernel/environment.ts";
import { notFound, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import { overlapViolations } from "../../kernel/requests/webhook-request.ts";
import { changeKnownMs } from "./endpoint.ts";
import { getSteerable, newSecret, refuseIfOff, type WebhookCaller, type WebhookDeps } from "./endpoints.ts";

const defaultOverlapSeconds = 24 * 60 * 60;
/** Timers may be early by as much. */
const timerMarginMs = 10;

/**
 * Gives an endpoint a further secret. Deliveries are signed with both until the overlap is over. Takes as long as a
 * delivery may begin that knows nothing of it, so that without an overlap the one before signs nothing any more.
 * Throws `webhooks_off`, `not_found`, `permission_denied`, `invalid_request` and `deadline_exceeded`.
 * @param overlapSeconds undefined: a day
 */
export async function rotateSecret(
  deps: WebhookDeps,
  caller: WebhookCaller,
  endpointId: string,
  overlapSeconds: number | undefined,
  deadline: Deadline,
): Promise<{ secret: string; previousEndAt: Date }> {
  refuseIfOff(deps);
  refuseIfAny(overlapViolations(overlapSeconds));
  const { id, partnerId } = await getSteerable(deps, caller, endpointId, deadline);
  const { sealed, text } = newSecret(deps, id);
  const { webhooks, pause = pauseFor } = deps;
  const overlap = overlapSeconds ?? defaultOverlapSeconds;
  const previousEndAt = await webhooks.addSecret(partnerId, sealed, overlap, deadline.signal);
  if (previousEndAt === undefined) throw notFound();
  await pause(changeKnownMs + timerMarginMs, deadline.signal);
  return { secret: text, previousEndAt };
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {
    throw new Refusal("deadline_exceeded", "The deadline passed. The secret was replaced: replace it once more.");
  });
}
