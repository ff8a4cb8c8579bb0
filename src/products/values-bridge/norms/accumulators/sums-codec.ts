// Accumulators as the store keeps them: whole numbers in few bytes, with runs of zeros as their length.
import { ByteReader, ByteWriter } from "../../results/bytes.ts";
import type { Sums } from "./contribution.ts";

/** The version of the rule that added the contributions: by the same rule they are taken away. */
const ruleVersion = 3;

/** Writes sums. A zero is followed by how many there are; any other number is doubled, and odd if it is below zero. */
export function encodeSums(sums: Sums): Buffer {
  const writer = new ByteWriter();
  writer.uint(ruleVersion);
  for (let place = 0; place < sums.length; place += 1) {
    const value = sums[place] ?? 0;
    if (value !== 0) {
      writeNumber(writer, value > 0 ? 2 * value : -2 * value - 1);
      continue;
    }
    let zeros = 1;
    while (sums[place + zeros] === 0) zeros += 1;
    writer.uint(0);
    writer.uint(zeros);
    place += zeros - 1;
  }
  return writer.bytes();
}

/**
 * Reads sums. Those of an earlier rule are read as nobody's: `pas norms rebuild` adds everybody up anew.
 * Throws RangeError where they are of a later rule, or of another length.
 */
export function decodeSums(bytes: Uint8Array, length: number): Sums {
  const reader = new ByteReader(bytes);
  const rule = reader.uint();
  const sums = new Float64Array(length);
  if (rule < ruleVersion) return sums;
  if (rule > ruleVersion) throw new RangeError("these accumulators were added by a rule that is not known");
  let place = 0;
  while (place < length) {
    const coded = readNumber(reader);
    if (coded === 0) place += reader.uint();
    else {
      sums[place] = coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
      place += 1;
    }
  }
  if (place !== length) throw new RangeError("these accumulators are not of this assessment version");
  return sums;
}

/** What goes into the first part of a number. */
const part = 2 ** 28;

/** A number of up to 53 bits: doubled, and odd if a second part follows. */
function writeNumber(writer: ByteWriter, value: number): void {
  const rest = Math.floor(value / part);
  writer.uint(2 * (value % part) + (rest > 0 ? 1 : 0));
  if (rest > 0) writer.uint(rest);
}

function readNumber(reader: ByteReader): number {
  const first = reader.uint();
  return Math.floor(first / 2) + (first % 2 === 1 ? part * reader.uint() : 0);
}
