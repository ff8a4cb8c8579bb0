// What became of deliveries, page by page.
import { cursorNumber } from "../../domain/events/event-cursor.ts";
import { hasSucceeded } from "../../domain/webhooks/deliveries.ts";
import { ParkedEventState, WebhookOutcome } from "../../gen/assessment/v1/webhook_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import type { Attempt, ParkedEvent } from "../../store/webhooks/rows.ts";
import { getEndpoint, type WebhookDeps } from "./endpoints.ts";

const defaultPageSize = 100;
/** Rows that one call looks at for those it is asked for. */
const maxScanned = 1_000;

export interface LogQuery<T> {
  /** The `next` of the page before; empty for the first one. */
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
  /** 0, which is `UNSPECIFIED`: any. */
  readonly only: T;
}

export interface Page<T> {
  readonly entries: readonly T[];
  /** Empty after the last page. */
  readonly next: string;
}

type Deps = Pick<WebhookDeps, "webhooks">;

/** Attempts of an endpoint, the latest first. Throws `not_found` and `invalid_request`. */
export async function listAttempts(
  deps: Deps,
  partnerId: string,
  endpointId: string,
  query: LogQuery<WebhookOutcome>,
  deadline: Deadline,
): Promise<Page<Attempt>> {
  const { after, size, limit } = readQuery(query);
  const endpoint = await getEndpoint(deps, partnerId, endpointId, deadline);
  const before = query.after === "" ? Number.MAX_SAFE_INTEGER : after;
  const rows = await deps.webhooks.listAttempts(endpoint, before, limit, deadline.signal);
  const wanted = rows.filter((row) => query.only === WebhookOutcome.UNSPECIFIED || outcomeOf(row) === query.only);
  return pageOf(rows, wanted, { size, limit }, ({ id }) => id);
}

/** Parked events of an endpoint by sequence. Throws `not_found` and `invalid_request`. */
export async function listParked(
  deps: Deps,
  partnerId: string,
  endpointId: string,
  query: LogQuery<ParkedEventState>,
  deadline: Deadline,
): Promise<Page<ParkedEvent>> {
  const { after, size, limit } = readQuery(query);
  const endpoint = await getEndpoint(deps, partnerId, endpointId, deadline);
  const rows = await deps.webhooks.listParked(endpoint, after, limit, deadline.signal);
  const wanted = rows.filter((row) => query.only === ParkedEventState.UNSPECIFIED || stateOf(row) === query.only);
  return pageOf(rows, wanted, { size, limit }, ({ sequence }) => sequence);
}

/** How an attempt ended. */
export function outcomeOf(attempt: Pick<Attempt, "status">): WebhookOutcome {
  return hasSucceeded(attempt) ? WebhookOutcome.SUCCEEDED : WebhookOutcome.FAILED;
}

/** What becomes of a parked event. */
export function stateOf({ nextAt, deadAt }: Pick<ParkedEvent, "nextAt" | "deadAt">): ParkedEventState {
  if (deadAt !== null) return ParkedEventState.DEAD;
  return nextAt === null ? ParkedEventState.WAITING : ParkedEventState.RETRYING;
}

interface Sizes {
  /** Entries of the page. */
  readonly size: number;
  /** Rows that are read for it. */
  readonly limit: number;
}

function readQuery({ after, pageSize, only }: LogQuery<number>): Sizes & { readonly after: number } {
  const number = cursorNumber(after);
  if (number === undefined) {
    const detail = "A cursor is the `next` of a response, or empty.";
    throw invalidRequest([{ path: ["after"], code: "invalid_format", detail }]);
  }
  const size = pageSize === 0 ? defaultPageSize : pageSize;
  return { after: number, size, limit: only === 0 ? size : maxScanned };
}

function pageOf<T>(
  rows: readonly T[],
  wanted: readonly T[],
  { size, limit }: Sizes,
  keyOf: (row: T) => number,
): Page<T> {
  const entries = wanted.slice(0, size);
  const last = wanted.length > size ? entries.at(-1) : rows.at(-1);
  const isEnd = rows.length < limit && wanted.length <= size;
  return { entries, next: isEnd || last === undefined ? "" : String(keyOf(last)) };
}
