// What an endpoint may be sent next: its pending deliveries, and a page of the log or of a replay; and what it is being sent.
import type { Connection, RowDataPacket } from "mysql2";
import { readRows, sql } from "../../database/statement.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import { statements as logStatements } from "../events/event-store.ts";
import { toEvents } from "../events/rows.ts";
import type { EndpointRow } from "./delivery-changes.ts";

/** Events of the log that are looked at in one turn. */
const pageSize = 50;
/** Deliveries that are looked at for those that may be claimed. */
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

/** Deliveries that are to be sent, or are being sent, by time; with their events, as far as the log has them. */
export function readPending(connection: Connection, name: EndpointRow): Promise<RowDataPacket[]> {
  return readRows(connection, statements.listPending, { ...name, limit: maxPending });
}

export interface Page {
  readonly events: readonly LoggedEvent[];
  /** The sequence that is reached with them. */
  readonly end: number;
}

/**
 * The events after a sequence.
 * @param to the last of all that are asked for. @param isLast whether that is the end of the log, which may have grown
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

/** The claims of one endpoint that have not ended: what is being sent to it right now. */
export class OpenClaims {
  /** When they end. */
  readonly #ends: Date[] = [];
  /** Resources, such as sessions, of which something is being sent, with the sequence of that. */
  readonly #sequences = new Map<string, number>();
  readonly #newSequences: number[] = [];

  /** @param isNew whether the endpoint's place in the log has to stay before it */
  add(resourceId: string, sequence: number, end: Date, isNew: boolean): void {
    this.#ends.push(end);
    this.#sequences.set(resourceId, sequence);
    if (isNew) this.#newSequences.push(sequence);
  }

  get size(): number {
    return this.#ends.length;
  }

  /** Whether something of the resource is being sent. */
  has(resourceId: string): boolean {
    return this.#sequences.has(resourceId);
  }

  /** Whether something up to the sequence is being sent. */
  hasUpTo(sequence: number): boolean {
    return [...this.#sequences.values()].some((each) => each <= sequence);
  }

  /** The least sequence of what is new. */
  get firstNew(): number | undefined {
    return this.#newSequences.length === 0 ? undefined : Math.min(...this.#newSequences);
  }

  /** When the first of them ends; null if there is none. */
  get firstEnd(): Date | null {
    return this.#ends.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
  }
}
