// Accumulators as the store keeps them: whole numbers in few bytes, with runs of zeros as their length.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import type { Sums } from "./contribution.ts";

/** The version of the rule that added the contributions: by the same rule they are taken away. */
const ruleVersion = 1;

/** Writes sums. A zero is followed by how many there are; any other number is doubled, and odd if it is below zero. */
export function encodeSums(sums: Sums): Uint8Array {
  const writer = new BinaryWriter();
  writer.uint32(ruleVersion);
  for (let place = 0; place < sums.length; place += 1) {
    const value = sums[place] ?? 0;
    if (value !== 0) {
      writeNumber(writer, value > 0 ? 2 * value : -2 * value - 1);
      continue;
    }
    let zeros = 1;
    while (sums[place + zeros] === 0) zeros += 1;
    writer.uint32(0);
    writer.uint32(zeros);
    place += zeros - 1;
  }
  return writer.finish();
}

/** Reads sums. Throws RangeError where they are of another rule or length. */
export function decodeSums(bytes: Uint8Array, length: number): Sums {
  const reader = new BinaryReader(bytes);
  if (reader.uint32() !== ruleVersion)
    throw new RangeError("these accumulators were added by a rule that is not known");
  const sums = new Float64Array(length);
  let place = 0;
  while (place < length) {
    const coded = readNumber(reader);
    if (coded === 0) place += reader.uint32();
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
function writeNumber(writer: BinaryWriter, value: number): void {
  const rest = Math.floor(value / part);
  writer.uint32(2 * (value % part) + (rest > 0 ? 1 : 0));
  if (rest > 0) writer.uint32(rest);
}

function readNumber(reader: BinaryReader): number {
  const first = reader.uint32();
  return Math.floor(first / 2) + (first % 2 === 1 ? part * reader.uint32() : 0);
}
