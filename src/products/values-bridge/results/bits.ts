// Whole numbers of a known width, one after the other without gaps; the last byte is filled up with zeros.

const byteBits = 8;

/** How many bits any of `count` numbers takes, from 0 on. */
export function bitsOf(count: number): number {
  return count < 2 ? 0 : 32 - Math.clz32(count - 1);
}

export class BitWriter {
  readonly #whole: number[] = [];
  /** What does not fill a byte yet, and how many bits that is. */
  #rest = 0;
  #restBits = 0;

  /** @param value a whole number below 2^width. @param width 0 to 20 bits */
  write(value: number, width: number): void {
    if (!(value >= 0 && value < 2 ** width)) throw new RangeError(`${value} does not fit ${width} bits`);
    this.#rest = (this.#rest << width) | value;
    this.#restBits += width;
    while (this.#restBits >= byteBits) {
      this.#restBits -= byteBits;
      this.#whole.push(this.#rest >>> this.#restBits);
      this.#rest &= (1 << this.#restBits) - 1;
    }
  }

  /** What was written, in bytes of its own. */
  bytes(): Buffer {
    const last = this.#restBits === 0 ? [] : [this.#rest << (byteBits - this.#restBits)];
    return Buffer.from([...this.#whole, ...last]);
  }
}

export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Throws RangeError past the end. */
  read(width: number): number {
    let value = 0;
    let missing = width;
    while (missing > 0) {
      const byte = this.#bytes[this.#at >>> 3];
      if (byte === undefined) throw new RangeError("these bytes end too early");
      const left = byteBits - (this.#at & 7);
      const taken = Math.min(left, missing);
      value = (value << taken) | ((byte >>> (left - taken)) & ((1 << taken) - 1));
      this.#at += taken;
      missing -= taken;
    }
    return value;
  }
}
