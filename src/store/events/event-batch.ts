// A batch of events for the log: assigns their numbers, and inserts them.

import type { Connection } from "mysql2";
import { executeText, readRowsOf } from "../../database/statement.ts";
import type { SessionMode } from "../../domain/sessions/session.ts";
import type { EventType } from "../../kernel/event-types.ts";
import { codeOf } from "../../kernel/event-types.ts";
import type { OutboxEvent } from "./outbox.ts";
import { numberToMode } from "./rows.ts";

export interface PublishedEvent {
  readonly type: EventType;
  /** The mode of the session; null if it is unknown. */
  readonly mode: SessionMode | null;
  /** Milliseconds from the write to the log. */
  readonly lagMs: number;
}

/**
 * How many numbers are skipped: after a part of the database was lost, all logs continue at the next multiple, so that none is
 * used twice. JavaScript numbers are exact for two million such losses.
 */
export const skippedNumbers = 2 ** 32;

/** The least number that a partner's log may have reached. @param position of the last event of the whole log */
export function firstSequence(position: number): number {
  return Math.floor(position / skippedNumbers) * skippedNumbers;
}

/** An event without its numbers. */
export interface NewEvent extends OutboxEvent {
  readonly mode: number | null;
}

const readHeads = "SELECT partner_id, sequence FROM event_heads FORCE INDEX (PRIMARY) WHERE partner_id IN (?)";
const saveHeads = `INSERT INTO event_heads (partner_id, sequence, expired_sequence) VALUES ?
  ON DUPLICATE KEY UPDATE sequence = VALUES(sequence)`;
const insertEvents = `INSERT INTO events
  (position, partner_id, sequence, type, occurrence, resource_id, assessment_id, mode, occurred_at,
    recorded_at) VALUES ?`;

export class EventBatch {
  readonly #before: number;
  readonly #now: Date;
  readonly #events: NewEvent[] = [];
  readonly #published: PublishedEvent[] = [];
  readonly #partnerIds = new Map<string, Buffer>();

  /** @param position of the last event of the log. @param now by the database's clock */
  constructor(position: number, now: Date) {
    this.#before = position;
    this.#now = now;
  }

  /** @param writtenAt when what happened was written, by the database's clock */
  add(event: NewEvent, writtenAt: Date): void {
    this.#events.push(event);
    const { type, mode } = event;
    this.#published.push({
      type,
      mode: numberToMode(mode),
      lagMs: Math.max(0, this.#now.getTime() - writtenAt.getTime()),
    });
    this.#partnerIds.set(event.partnerId.toString("latin1"), event.partnerId);
  }

  get published(): readonly PublishedEvent[] {
    return this.#published;
  }

  /** The partners with events in it. */
  get partnerIds(): Buffer[] {
    return [...this.#partnerIds.values()];
  }

  /** The position of the last event. */
  get position(): number {
    return this.#before + this.#events.length;
  }

  /** Inserts the events in the order in which they were added. Nobody else may assign numbers meanwhile. */
  async insert(connection: Connection): Promise<void> {
    if (this.#events.length === 0) return;
    const first = firstSequence(this.#before);
    const stored = await readRowsOf(connection, readHeads, [this.partnerIds]);
    const heads = new Map(
      stored.map(({ partner_id, sequence }) => [partner_id.toString("latin1"), Math.max(sequence, first)]),
    );
    const rows = this.#events.map((event, index) => {
      const { partnerId, occurrence, resourceId, assessmentId, mode, occurredAt } = event;
      const partner = partnerId.toString("latin1");
      const sequence = (heads.get(partner) ?? first) + 1;
      heads.set(partner, sequence);
      const position = this.#before + index + 1;
      const name = [codeOf(event.type), occurrence, resourceId];
      return [position, partnerId, sequence, ...name, assessmentId, mode, occurredAt, this.#now];
    });
    await executeText(connection, insertEvents, [rows]);
    const newHeads = [...this.#partnerIds].map(([partner, partnerId]) => [partnerId, heads.get(partner), 0]);
    await executeText(connection, saveHeads, [newHeads]);
  }
}
