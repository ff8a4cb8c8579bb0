// The answers of a session in its row: one byte a question, in the order of positions.
import type { AnswerSheet } from "../../domain/sessions/session.ts";

/** 0 where there is no answer, else the rating plus 1. Ratings are 0 to 253. */
export function answersToBytes(answers: AnswerSheet): Buffer {
  return Buffer.from(answers.map((rating) => (rating === null ? 0 : rating + 1)));
}

export function bytesToAnswers(bytes: Buffer): AnswerSheet {
  return Array.from(bytes, (byte) => (byte === 0 ? null : byte - 1));
}
