// How domain values are written in columns.
import type { RowDataPacket } from "mysql2";

/** The latest time that an id can begin with. */
const maxIdTime = 2 ** 48 - 1;

/** The 16 bytes of a UUID. */
export function uuidToBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

export function bytesToUuid(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  // Unlike a template, which would hold on to all its parts, this gives one string of 36 bytes. Some are kept for long.
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** The results of a row; null if there are none yet, or none any more. */
export function keptResults({ results, results_deleted_at: deletedAt }: RowDataPacket): Buffer | null {
  return deletedAt === null ? results : null;
}

/** What no UUIDv7 of that time or later sorts before. @param time milliseconds since 1970; others are taken as 1970 */
export function firstIdAt(time: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(0, time), maxIdTime), 0, 6);
  return bytes;
}

/** When a UUIDv7 was made, by the clock of its maker. */
export function timeOfId(id: Buffer): Date {
  return new Date(id.readUIntBE(0, 6));
}
