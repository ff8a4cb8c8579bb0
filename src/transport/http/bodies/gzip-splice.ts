// A gzip stream around a part that was compressed once. The parts before and after it are stored as they are, so an
// answer with a large unchanging member costs a copy and two short checksums instead of a compression.
import { constants, crc32, deflateRawSync } from "node:zlib";

/** A part compressed once, and what it takes to place it after other bytes. */
export interface CompressedPart {
  /** Deflate blocks that end on a byte, none of them final. */
  readonly blocks: Buffer;
  /** Length before compression, in bytes. */
  readonly length: number;
  readonly crc: number;
  /** How the checksum of preceding bytes changes when `length` bytes follow: the columns of a matrix over GF(2). */
  readonly shift: readonly number[];
}

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const maxStoredLength = 0xffff;

/** Compresses the part that will be spliced. */
export function compressPart(bytes: Buffer): CompressedPart {
  const blocks = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  return { blocks, length: bytes.length, crc: crc32(bytes), shift: zeroBytesOperator(bytes.length) };
}

/**
 * The gzip stream of prefix, part and suffix.
 * @param prefix at most 65535 bytes, like the suffix
 */
export function gzipSpliced(prefix: string, part: CompressedPart, suffix: string): Buffer {
  const [before, after] = [Buffer.from(prefix), Buffer.from(suffix)];
  const crc = crc32(after, (times(part.shift, crc32(before)) ^ part.crc) >>> 0);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE((before.length + part.length + after.length) >>> 0, 4);
  return Buffer.concat([header, storedBlock(before, false), part.blocks, storedBlock(after, true), trailer]);
}

/** A deflate block of bytes as they are (RFC 1951 section 3.2.4). */
function storedBlock(bytes: Buffer, isFinal: boolean): Buffer {
  if (bytes.length > maxStoredLength) throw new RangeError("a stored block has at most 65535 bytes");
  const head = Buffer.alloc(5);
  head.writeUInt8(isFinal ? 1 : 0, 0);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

/**
 * The matrix that advances a CRC-32 over so many zero bytes. Advancing over one zero bit is a linear map of the 32 bits;
 * its powers are found by squaring (the method of zlib's crc32_combine).
 */
function zeroBytesOperator(length: number): number[] {
  // One zero bit: bit 0 becomes the reversed polynomial, every other bit moves down by one.
  let power = Array.from({ length: 32 }, (_, bit) => (bit === 0 ? 0xedb88320 : 2 ** (bit - 1)));
  let operator = Array.from({ length: 32 }, (_, bit) => 2 ** bit);
  for (let bits = length * 8; bits > 0; bits = Math.floor(bits / 2)) {
    const squared = power;
    if (bits % 2 === 1) operator = operator.map((column) => times(squared, column));
    power = squared.map((column) => times(squared, column));
  }
  return operator;
}

/** Matrix times vector over GF(2). */
function times(matrix: readonly number[], vector: number): number {
  let product = 0;
  for (let bit = 0; bit < 32; bit += 1) if ((vector >>> bit) & 1) product ^= matrix[bit] ?? 0;
  return product >>> 0;
}
