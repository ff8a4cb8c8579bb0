// What the log of events has to hold, by the rows of the sessions alone, and what is wrong with it.
import { isDeepStrictEqual } from "node:util";
import type { Connection, RowDataPacket } from "mysql2/promise";
import { parseEventCode } from "../../../../src/domain/events/event-types.ts";
import { bytesToUuid, uuidToBytes } from "../../../../src/kernel/ids.ts";

/** Type and session of an event, such as `session.created 019b…`. */
export type EventName = string;

/** What has happened to each session of the partner, in its order, as its row tells. */
export async function happened(connection: Connection, partnerId: string): Promise<ReadonlyMap<string, EventName[]>> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT id, answers <> '' AS has_answers, completed_at IS NOT NULL AS is_completed, results IS NOT NULL AS is_scored
     FROM sessions WHERE partner_id = ?`,
    [uuidToBytes(partnerId)],
  );
  return new Map(
    rows.map((row) => {
      const id = bytesToUuid(row.id);
      const types = [
        "session.created",
        ...(row.has_answers === 1 ? ["session.started"] : []),
        ...(row.is_completed === 1 ? ["session.completed"] : []),
        ...(row.is_scored === 1 ? ["session.scored"] : []),
      ];
      return [id, types.map((type) => `${type} ${id}`)];
    }),
  );
}

/** The log of the partner, in its order. */
export async function readLog(connection: Connection, partnerId: string): Promise<EventName[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    "SELECT type, resource_id FROM events WHERE partner_id = ? ORDER BY sequence",
    [uuidToBytes(partnerId)],
  );
  return rows.map((row) => `${parseEventCode(row.type)} ${bytesToUuid(row.resource_id)}`);
}

/**
 * Everything that is wrong with the log of a partner, in words. Positions count over all partners, from this one's first
 * event on: whoever erased a session of an earlier one left holes, as erasures do.
 */
export async function logFaults(connection: Connection, partnerId: string): Promise<string[]> {
  const expected = await happened(connection, partnerId);
  const faults = sequenceFaults(await readLog(connection, partnerId), expected);
  const [[numbers]] = await connection.query<RowDataPacket[]>(
    `SELECT MAX(position) - MIN(position) + 1 - COUNT(*) AS holes FROM events
     WHERE position >= (SELECT MIN(position) FROM events WHERE partner_id = ?)`,
    [uuidToBytes(partnerId)],
  );
  const [[own]] = await connection.query<RowDataPacket[]>(
    "SELECT MAX(sequence) - COUNT(*) AS holes FROM events WHERE partner_id = ?",
    [uuidToBytes(partnerId)],
  );
  if (Number(numbers?.holes) !== 0) faults.push(`${numbers?.holes} positions were skipped`);
  if (Number(own?.holes) !== 0) faults.push(`${own?.holes} numbers of the partner were skipped`);
  return faults;
}

/** What is wrong with events that came in this order, of which each may come once. */
export function sequenceFaults(
  names: readonly EventName[],
  expected: ReadonlyMap<string, readonly EventName[]>,
): string[] {
  const bySession = Map.groupBy(names, (name) => name.split(" ")[1] ?? "");
  const faults = [...expected].flatMap(([id, own]) => {
    const came = bySession.get(id) ?? [];
    return isDeepStrictEqual(came, own) ? [] : [`${id} has ${came.map(typeOf)} instead of ${own.map(typeOf)}`];
  });
  const strangers = [...bySession.keys()].filter((id) => !expected.has(id));
  return [...faults, ...strangers.map((id) => `${id} is no session`)];
}

function typeOf(name: EventName): string {
  return name.split(" ")[0] ?? "";
}
