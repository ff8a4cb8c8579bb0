// Whole numbers in few bytes: seven bits a byte, the lowest first, as in Protocol Buffers.

const initialBytes = 512;
/** What a number below 2^31 takes at most. */
const maxNumberBytes = 5;

export class ByteWriter {
  #buffer = Buffer.allocUnsafe(initialBytes);
  #length = 0;

  /** @param value a whole number from 0 to 2^31 - 1 */
  uint(value: number): void {
    if (!(value >= 0 && value < 2 ** 31)) throw new RangeError(`${value} cannot be written`);
    if (this.#length + maxNumberBytes > this.#buffer.length) this.#grow();
    let rest = value;
    while (rest > 0x7f) {
      this.#buffer[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#length++] = rest;
  }

  /** What was written, in bytes of its own. */
  bytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  #grow(): void {
    this.#buffer = Buffer.concat([this.#buffer], 2 * this.#buffer.length);
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Throws RangeError past the end. */
  uint(): number {
    let value = 0;
    for (let shift = 0; shift < 7 * maxNumberBytes; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError("these bytes end too early");
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("these bytes are no number");
  }
}
