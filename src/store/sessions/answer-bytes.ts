// The answers of a session in its row. A question takes a byte while the session is open, so that the row keeps its size;
// once it is completed, as few bits as its ratings need, so that the results fit where answers were.
import type { AnswerSheet } from "../../domain/sessions/session-port.ts";

/** The first byte of the packed form. In the other one it would be the rating 254, which no scale reaches. */
const packed = 0xff;
const maxRating = 253;
const headBytes = 3;
const byteBits = 8;

/** One byte a question by position: 0 where there is no answer, else the rating plus 1 (ratings are 0..253). */
export function answersToBytes(answers: AnswerSheet): Buffer {
  const bytes = Buffer.allocUnsafe(answers.length);
  for (let index = 0; index < answers.length; index += 1) bytes[index] = codeOf(answers[index], 0);
  return bytes;
}

/**
 * The same in as few bits a question as the ratings need that were given: the mark, a byte of how many bits that is and how
 * many further questions would fit, the least rating, then the bits. Releases before 0.2 cannot read it. A sheet that
 * would not be shorter stays as it is.
 */
export function packAnswers(answers: AnswerSheet): Buffer {
  let [least, greatest] = [maxRating, 0];
  for (const rating of answers) {
    if (rating === null) continue;
    least = Math.min(least, rating);
    greatest = Math.max(greatest, rating);
  }
  const width = 32 - Math.clz32(Math.max(1, greatest - least + 1));
  const length = headBytes + Math.ceil((answers.length * width) / byteBits);
  if (length >= answers.length) return answersToBytes(answers);
  const bytes = Buffer.alloc(length);
  const room = Math.floor(((bytes.length - headBytes) * byteBits) / width) - answers.length;
  bytes[0] = packed;
  bytes[1] = (room << 4) | width;
  bytes[2] = least;
  let byte = headBytes;
  let bits = 0;
  let waiting = 0;
  for (const rating of answers) {
    bits = (bits << width) | codeOf(rating, least);
    waiting += width;
    if (waiting < byteBits) continue;
    waiting -= byteBits;
    bytes[byte++] = bits >>> waiting;
    bits &= (1 << waiting) - 1;
  }
  if (waiting > 0) bytes[byte] = bits << (byteBits - waiting);
  return bytes;
}

/** The answers that were written in either form. */
export function bytesToAnswers(bytes: Buffer): AnswerSheet {
  if (bytes[0] !== packed) return Array.from(bytes, (byte) => (byte === 0 ? null : byte - 1));
  const width = (bytes[1] ?? 0) & 0xf;
  const room = (bytes[1] ?? 0) >>> 4;
  const count = Math.floor(((bytes.length - headBytes) * byteBits) / width) - room;
  const least = bytes[2] ?? 0;
  const answers = new Array<number | null>(count);
  let byte = headBytes;
  let bits = 0;
  let waiting = 0;
  for (let index = 0; index < count; index += 1) {
    while (waiting < width) {
      bits = (bits << byteBits) | (bytes[byte++] ?? 0);
      waiting += byteBits;
    }
    waiting -= width;
    const code = bits >>> waiting;
    bits &= (1 << waiting) - 1;
    answers[index] = code === 0 ? null : code - 1 + least;
  }
  return answers;
}

function codeOf(rating: number | null | undefined, least: number): number {
  return rating == null ? 0 : rating - least + 1;
}
