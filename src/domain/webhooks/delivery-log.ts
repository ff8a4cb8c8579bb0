// What became of deliveries, page by page.

import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest, refuseIfAny } from "../../kernel/errors/refusal.ts";
import { cursorNumber } from "../../kernel/requests/event-cursor.ts";
import { webhookPageViolations } from "../../kernel/requests/webhook-request.ts";
import { getEndpoint } from "./endpoints.ts";
import { type Attempt, hasSucceeded, type ParkedEvent, type WebhookStore } from "./webhook-port.ts";

const defaultPageSize = 100;
/** Rows that one call looks at for those it is asked for. */
const maxScanned = 1_000;

export type Outcome = "succeeded" | "failed";
export type ParkedState = "retrying" | "waiting" | "dead";

export interface LogQuery<T> {
  /** The `next` of the page before; empty for the first one. */
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
  /** Undefined: any. */
  readonly only: T | undefined;
}

export interface Page<T> {
  readonly entries: readonly T[];
  /** Empty after the last page. */
  readonly next: string;
}

/** Attempts of an endpoint, the latest first. Throws `not_found` and `invalid_request`. */
export async function listAttempts(
  deps: { readonly webhooks: WebhookStore },
  partnerId: string,
  endpointId: string,
  query: LogQuery<Outcome>,
  deadline: Deadline,
): Promise<Page<Attempt>> {
  const { after, size } = readQuery(query);
  const endpoint = await getEndpoint(deps, partnerId, endpointId, deadline);
  const before = query.after === "" ? Number.MAX_SAFE_INTEGER : after;
  const limit = query.only === undefined ? size : maxScanned;
  const rows = await deps.webhooks.listAttempts(endpoint, before, limit, deadline.signal);
  return pageOf(
    rows,
    limit,
    size,
    ({ id }) => id,
    (row) => query.only === undefined || outcomeOf(row) === query.only,
  );
}

/** Parked events of an endpoint by sequence. Throws `not_found` and `invalid_request`. */
export async function listParked(
  deps: { readonly webhooks: WebhookStore },
  partnerId: string,
  endpointId: string,
  query: LogQuery<ParkedState>,
  deadline: Deadline,
): Promise<Page<ParkedEvent>> {
  const { after, size } = readQuery(query);
  const endpoint = await getEndpoint(deps, partnerId, endpointId, deadline);
  const limit = query.only === undefined ? size : maxScanned;
  const rows = await deps.webhooks.listParked(endpoint, after, limit, deadline.signal);
  return pageOf(
    rows,
    limit,
    size,
    ({ sequence }) => sequence,
    (row) => query.only === undefined || stateOf(row) === query.only,
  );
}

/** How an attempt ended. */
export function outcomeOf(attempt: Pick<Attempt, "status">): Outcome {
  return hasSucceeded(attempt) ? "succeeded" : "failed";
}

/** What becomes of a parked event. */
export function stateOf({ nextAt, deadAt }: Pick<ParkedEvent, "nextAt" | "deadAt">): ParkedState {
  if (deadAt !== null) return "dead";
  return nextAt === null ? "waiting" : "retrying";
}

function readQuery({ after, pageSize }: LogQuery<unknown>): { after: number; size: number } {
  const number = cursorNumber(after);
  if (number === undefined) {
    const detail = "A cursor is the `next` of a response, or empty.";
    throw invalidRequest([{ path: ["after"], code: "invalid_format", detail }]);
  }
  refuseIfAny(webhookPageViolations(pageSize));
  return { after: number, size: pageSize === 0 ? defaultPageSize : pageSize };
}

function pageOf<T>(
  rows: readonly T[],
  limit: number,
  size: number,
  keyOf: (row: T) => number,
  isWanted: (row: T) => boolean,
): Page<T> {
  const wanted = rows.filter(isWanted);
  const entries = wanted.slice(0, size);
  const last = wanted.length > size ? entries.at(-1) : rows.at(-1);
  const isEnd = rows.length < limit && wanted.length <= size;
  return { entries, next: isEnd || last === undefined ? "" : String(keyOf(last)) };
}
