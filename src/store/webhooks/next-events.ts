// Reads the next events for an endpoint: its pending deliveries, a page of the log or of a replay, and its open claims.
import type { Connection, RowDataPacket } from "mysql2";
import { readRows, sql } from "../../database/statement.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import { statements as logStatements } from "../events/event-store.ts";
import { toEvents } from "../events/rows.ts";
import type { EndpointRow } from "./delivery-changes.ts";

/** Events of the log read in one turn. */
const pageSize = 50;
/** Deliveries read in one turn to find those that may be claimed. */
const maxPending = 8;

export const statements = {
  listPending: sql`SELECT d.sequence AS pending_sequence, d.resource_id AS pending_resource_id, d.attempts, d.next_at,
      d.next_at <= NOW(3) AS is_due, e.position, e.partner_id, e.sequence, e.type, e.occurrence, e.resource_id, e.assessment_id, e.mode, e.occurred_at,
        e.recorded_at
    FROM webhook_deliveries AS d FORCE INDEX (webhook_deliveries_next)
    LEFT JOIN events AS e FORCE INDEX (events_sequence) ON e.partner_id = d.partner_id AND e.sequence = d.sequence
    WHERE d.partner_id = :partnerId AND d.endpoint_id = :endpointId AND d.next_at IS NOT NULL
    ORDER BY d.next_at, d.sequence LIMIT :limit`,
};

/** Deliveries that are due or being sent, by time; with their events if the log still has them. */
export function readPending(connection: Connection, name: EndpointRow): Promise<RowDataPacket[]> {
  return readRows(connection, statements.listPending, { ...name, limit: maxPending });
}

export interface Page {
  readonly events: readonly LoggedEvent[];
  /** The sequence reached with these events. */
  readonly end: number;
}

/**
 * The events after a sequence.
 * @param to the last requested sequence. @param isLast whether that is the end of the log, which may have grown
 */
export async function readPage(
  connection: Connection,
  partnerId: Buffer,
  { after, to, isLast }: { readonly after: number; readonly to: number; readonly isLast: boolean },
): Promise<Page> {
  const rows = await readRows(connection, logStatements.listEvents, { partnerId, after, limit: pageSize });
  const last = rows.length < pageSize ? to : (rows.at(-1)?.sequence ?? after);
  const end = isLast ? Math.max(last, rows.at(-1)?.sequence ?? 0) : Math.min(last, to);
  return { events: toEvents(rows).filter(({ sequence }) => sequence <= end), end };
}

/** The unexpired claims of one endpoint: the deliveries that are being sent to it. */
export class OpenClaims {
  /** Expiry times of the claims. */
  readonly #ends: Date[] = [];
  /** The sequence that is being sent, by resource, such as a session. */
  readonly #sequences = new Map<string, number>();
  readonly #newSequences: number[] = [];

  /** @param isNew whether the endpoint's position in the log has to stay before it */
  add(resourceId: string, sequence: number, end: Date, isNew: boolean): void {
    this.#ends.push(end);
    this.#sequences.set(resourceId, sequence);
    if (isNew) this.#newSequences.push(sequence);
  }

  get size(): number {
    return this.#ends.length;
  }

  /** Whether an event of the resource is being sent. */
  has(resourceId: string): boolean {
    return this.#sequences.has(resourceId);
  }

  /** Whether an event up to the sequence is being sent. */
  hasUpTo(sequence: number): boolean {
    return [...this.#sequences.values()].some((each) => each <= sequence);
  }

  /** The lowest sequence among new events. */
  get firstNew(): number | undefined {
    return this.#newSequences.length === 0 ? undefined : Math.min(...this.#newSequences);
  }

  /** When the first of the claims expires; null if there is none. */
  get firstEnd(): Date | null {
    return this.#ends.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
  }
}
