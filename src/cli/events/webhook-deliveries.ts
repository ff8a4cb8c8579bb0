// pas webhooks attempts, parked, redeliver and replay: what became of deliveries, and having them once more.

import { recordAct } from "../../domain/audit/acts.ts";
import { eventId } from "../../domain/events/event.ts";
import {
  listAttempts,
  listParked,
  type Outcome,
  outcomeOf,
  type Page,
  type ParkedState,
  stateOf,
} from "../../domain/webhooks/delivery-log.ts";
import { withBacklog } from "../../domain/webhooks/endpoints.ts";
import { redeliverEvents, replayEvents } from "../../domain/webhooks/redelivery.ts";
import { WebhookService } from "../../gen/assessment/v1/webhook_service_pb.ts";
import type { CommandContext } from "../command.ts";
import { commandDeadline } from "../database.ts";
import { asOperator, type OwnerOptions, toLine, withWebhooks } from "./webhooks.ts";

export interface ReplayOptions extends OwnerOptions {
  /** Positions of the log, exclusive and inclusive. */
  readonly after?: string;
  readonly until?: string;
}

/** Delivers a range of the log to an endpoint once more, and prints the endpoint. */
export function replayWebhook(context: CommandContext, id: string, options: ReplayOptions): Promise<void> {
  const { partner, after = "", until = "" } = options;
  return withWebhooks(context, async (deps, deadline) => {
    const act = { action: WebhookService.method.replayEvents, partnerId: partner, targetId: id };
    const replay = () => replayEvents(deps, asOperator(partner), id, { after, until }, deadline);
    context.print(toLine(await withBacklog(deps, await recordAct(deps, act, replay), deadline)));
  });
}

export interface AttemptOptions extends OwnerOptions {
  /** Only those that ended so. */
  readonly outcome?: Outcome;
}

/** Prints attempts of deliveries to an endpoint, one a line, the latest first. */
export function listWebhookAttempts(
  context: CommandContext,
  id: string,
  { partner, outcome }: AttemptOptions,
): Promise<void> {
  return withWebhooks(context, async (deps) => {
    const page = (after: string) =>
      listAttempts(deps, partner, id, { after, pageSize: 0, only: outcome }, commandDeadline());
    for await (const attempt of entriesOf(page)) {
      const { sequence, event, type, sessionId, at, status, error, tookMs } = attempt;
      const name = { eventId: event === null ? null : eventId(event), type, sequence, sessionId };
      context.print({ ...name, attempt: attempt.attempt, at, outcome: outcomeOf(attempt), status, error, tookMs });
    }
  });
}

export interface ParkedOptions extends OwnerOptions {
  /** Only those in this state. */
  readonly state?: ParkedState;
}

/** Prints events that an endpoint did not take, or that wait for an earlier one, one a line, by sequence. */
export function listParkedWebhooks(
  context: CommandContext,
  id: string,
  { partner, state }: ParkedOptions,
): Promise<void> {
  return withWebhooks(context, async (deps) => {
    const page = (after: string) =>
      listParked(deps, partner, id, { after, pageSize: 0, only: state }, commandDeadline());
    for await (const parked of entriesOf(page)) {
      const { event, sequence, sessionId, attempts, nextAt, deadAt } = parked;
      const name = { eventId: event === null ? null : eventId(event), sequence, sessionId };
      context.print({ ...name, attempts, state: stateOf(parked), nextAt, deadAt });
    }
  });
}

/** Delivers events to an endpoint once more, and prints how many of them are kept. */
export function redeliverWebhooks(
  context: CommandContext,
  id: string,
  eventIds: readonly string[],
  { partner }: OwnerOptions,
): Promise<void> {
  return withWebhooks(context, async (deps, deadline) => {
    const act = { action: WebhookService.method.redeliverEvents, partnerId: partner, targetId: id };
    const redeliver = () => redeliverEvents(deps, asOperator(partner), id, eventIds, deadline);
    context.print({ redelivered: await recordAct(deps, act, redeliver) });
  });
}

/** All entries of a list, page by page. */
async function* entriesOf<T>(page: (after: string) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let after = ""; ; ) {
    const { entries, next } = await page(after);
    yield* entries;
    if (next === "") return;
    after = next;
  }
}
