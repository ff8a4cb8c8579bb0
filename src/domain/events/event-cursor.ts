// Cursors of events: a number, or one number for each shard of a divided database.

/** A number for each log, by the range of its shard. */
export type LogPosition = ReadonlyMap<string, number>;

/** The name of the log if there is only one. */
export const wholeLog = "";

/** A cursor for the end of the log, wherever that is. */
export const cursorNow = "now";

/** The number of a cursor of one log, of 15 digits at most; 0 for the empty one. Undefined if the text is not a cursor. */
export function parseCursorNumber(text: string): number | undefined {
  return /^\d{0,15}$/.test(text) ? Number(text) : undefined;
}

/** The content of a cursor, such as `1234` or `-80:17,80-:4`. Undefined if the text is not a cursor. */
export function readCursor(text: string): LogPosition | undefined {
  const number = parseCursorNumber(text);
  if (number !== undefined) return new Map([[wholeLog, number]]);
  const parts = text.split(",").map((part) => /^([\da-f]*-[\da-f]*):(\d{1,15})$/.exec(part));
  if (!parts.every((part) => part !== null)) return undefined;
  return new Map(parts.map(([, name = "", digits]) => [name, Number(digits)]));
}

/** The text of a cursor. */
export function writeCursor(position: LogPosition): string {
  const whole = position.get(wholeLog);
  if (whole !== undefined) return String(whole);
  return [...position].map(([name, number]) => `${name}:${number}`).join(",");
}

/** Whether the range of one shard is within that of another, or is the same. */
export function isWithin(inner: string, outer: string): boolean {
  const [innerStart = "", innerEnd = ""] = inner.split("-");
  const [outerStart = "", outerEnd = ""] = outer.split("-");
  return innerStart >= outerStart && (outerEnd === "" || (innerEnd !== "" && innerEnd <= outerEnd));
}
