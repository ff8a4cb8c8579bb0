// Cursors of events: a number, or one number for each shard of a divided database.

/** A number for each log, by the range of its shard. */
export type LogPosition = ReadonlyMap<string, number>;

/** The name of the log if there is only one. */
export const wholeLog = "";

/** A cursor for the end of the log, wherever that is. */
export const cursorNow = "now";

/** More shards than any operator has. */
const maxLogs = 256;
/** The number of a cursor of one log; 0 for the empty one. Undefined if the text is not a cursor. */
export function cursorNumber(text: string): number | undefined {
  if (text === "") return 0;
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The content of a cursor, such as `1234` or `-80:17,80-:4`. Undefined if the text is not a cursor. */
export function readCursor(text: string): LogPosition | undefined {
  const number = cursorNumber(text);
  if (number !== undefined) return new Map([[wholeLog, number]]);
  const parts = text.split(",", maxLogs + 1).map((part) => /^([\da-f]{0,16}-[\da-f]{0,16}):(\d{1,16})$/.exec(part));
  if (parts.length > maxLogs) return undefined;
  const numbers = parts.flatMap((part): [string, number][] => {
    const [, name, digits] = part ?? [];
    return name !== undefined && Number.isSafeInteger(Number(digits)) ? [[name, Number(digits)]] : [];
  });
  return numbers.length === parts.length ? new Map(numbers) : undefined;
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
