// Times in requests.
import { isTime } from "../../kernel/formats/times.ts";

/** What is wrong with a text that is none. */
export const timeDetail = "Must be a time with its zone, such as 2026-11-20T09:30:00Z.";

/** A moment in RFC 3339, undefined for any other text. */
export function parseTime(text: string): Date | undefined {
  return isTime(text) ? new Date(text) : undefined;
}
