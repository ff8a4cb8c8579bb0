// How domain values are written in columns.
import type { AnswerSheet } from "../domain/ports/sessions.ts";

/** The 16 bytes of a UUID. */
export function uuidToBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

export function bytesToUuid(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  // Unlike a template, which would hold on to all its parts, this gives one string of 36 bytes. Some are kept for long.
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** One byte a question by position: 0 where there is no answer, else the rating plus 1 (ratings are 0..254). */
export function answersToBytes(answers: AnswerSheet): Buffer {
  const bytes = Buffer.allocUnsafe(answers.length);
  for (let index = 0; index < answers.length; index += 1) {
    const rating = answers[index] ?? null;
    bytes[index] = rating === null ? 0 : rating + 1;
  }
  return bytes;
}

export function bytesToAnswers(bytes: Buffer): AnswerSheet {
  const answers: (number | null)[] = [];
  for (const byte of bytes) answers.push(byte === 0 ? null : byte - 1);
  return answers;
}
