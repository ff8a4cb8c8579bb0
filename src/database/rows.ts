// Converts domain values to columns and back.
import type { RowDataPacket } from "mysql2";

/** The latest time that fits into a UUIDv7. */
const maxIdTime = 2 ** 48 - 1;

/** The 16 bytes of a UUID. */
export function uuidToBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

export function bytesToUuid(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  // Unlike a template, which would keep all its parts in memory, this gives one string of 36 bytes. Some are cached.
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** The results of a row; null if there are none yet, or they were deleted. */
export function keptResults({ results, results_deleted_at: deletedAt }: RowDataPacket): Buffer | null {
  return deletedAt === null ? results : null;
}

/** The smallest UUIDv7 of a time. @param time milliseconds since 1970; out of range it counts as 1970 */
export function firstIdAt(time: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(0, time), maxIdTime), 0, 6);
  return bytes;
}

/** When a UUIDv7 was made, by its maker's clock. */
export function timeOfId(id: Buffer): Date {
  return new Date(id.readUIntBE(0, 6));
}
