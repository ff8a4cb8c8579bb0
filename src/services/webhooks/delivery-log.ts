// Attempts of deliveries and parked events, page by page.
import type { Message } from "@bufbuild/protobuf";
import { cursorNumber } from "../../domain/events/event-cursor.ts";
import { hasSucceeded } from "../../domain/webhooks/deliveries.ts";
import {
  type ListParkedEventsRequest,
  type ListWebhookAttemptsRequest,
  ParkedEventSchema,
  ParkedEventState,
  WebhookAttemptSchema,
  WebhookOutcome,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { messageOf } from "../../json/message-of.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import type { PartnerCall } from "../../pipeline/call.ts";
import type { Attempt, ParkedEvent } from "../../store/webhooks/rows.ts";
import type { Needs } from "../dependencies.ts";
import { getEndpoint } from "./endpoints.ts";

const defaultPageSize = 100;
/** Rows that one call reads to find matching ones. */
const maxScanned = 1_000;

const toAttemptMessage = messageOf(WebhookAttemptSchema);
const toParkedMessage = messageOf(ParkedEventSchema);

type Deps = Needs<"webhooks">;
type Query<R extends Message> = Omit<R, keyof Message>;

/** Attempts of an endpoint, the latest first. Throws `not_found` and `invalid_request`. */
export async function listAttempts(deps: Deps, query: Query<ListWebhookAttemptsRequest>, call: PartnerCall) {
  const { outcome } = query;
  const after = query.after === "" ? Number.MAX_SAFE_INTEGER : cursorOf(query.after);
  const endpoint = await getEndpoint(deps, query.endpointId, call);
  const read = (limit: number) => deps.webhooks.listAttempts(endpoint, after, limit, call.signal);
  const isWanted = (row: Attempt) => outcomeOf(row) === outcome;
  const page = await readPage(read, outcome === WebhookOutcome.UNSPECIFIED ? undefined : isWanted, query.pageSize);
  return {
    attempts: page.rows.map((row) => toAttemptMessage({ ...row, outcome: outcomeOf(row) })),
    next: page.last === undefined ? "" : String(page.last.id),
  };
}

/** Parked events of an endpoint by sequence. Throws `not_found` and `invalid_request`. */
export async function listParked(deps: Deps, query: Query<ListParkedEventsRequest>, call: PartnerCall) {
  const { state } = query;
  const after = cursorOf(query.after);
  const endpoint = await getEndpoint(deps, query.endpointId, call);
  const read = (limit: number) => deps.webhooks.listParked(endpoint, after, limit, call.signal);
  const isWanted = (row: ParkedEvent) => stateOf(row) === state;
  const page = await readPage(read, state === ParkedEventState.UNSPECIFIED ? undefined : isWanted, query.pageSize);
  return {
    events: page.rows.map((row) => toParkedMessage({ ...row, state: stateOf(row) })),
    next: page.last === undefined ? "" : String(page.last.sequence),
  };
}

/** The outcome of an attempt. */
export function outcomeOf(attempt: Pick<Attempt, "status">): WebhookOutcome {
  return hasSucceeded(attempt) ? WebhookOutcome.SUCCEEDED : WebhookOutcome.FAILED;
}

/** The state of a parked event. */
export function stateOf({ nextAt, deadAt }: Pick<ParkedEvent, "nextAt" | "deadAt">): ParkedEventState {
  if (deadAt !== null) return ParkedEventState.DEAD;
  return nextAt === null ? ParkedEventState.WAITING : ParkedEventState.RETRYING;
}

function cursorOf(text: string): number {
  const number = cursorNumber(text);
  if (number !== undefined) return number;
  const detail = "A cursor is the `next` of a response, or empty.";
  throw invalidRequest([{ path: ["after"], code: "invalid_format", detail }]);
}

/** @param isWanted undefined: all match. @returns last: the row that the next page begins after; undefined if there is none */
async function readPage<T>(
  read: (limit: number) => Promise<readonly T[]>,
  isWanted: ((row: T) => boolean) | undefined,
  pageSize: number,
): Promise<{ readonly rows: readonly T[]; readonly last: T | undefined }> {
  const size = pageSize === 0 ? defaultPageSize : pageSize;
  const limit = isWanted === undefined ? size : maxScanned;
  const candidates = await read(limit);
  const matches = isWanted === undefined ? candidates : candidates.filter(isWanted);
  const rows = matches.slice(0, size);
  if (matches.length > size) return { rows, last: rows.at(-1) };
  return { rows, last: candidates.length < limit ? undefined : candidates.at(-1) };
}
