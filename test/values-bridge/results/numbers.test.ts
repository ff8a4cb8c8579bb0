// Numbers in bits and in bytes: what is read is what was written, and what does not fit is refused on either side.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BitReader, BitWriter, bitsOf } from "../../../src/products/values-bridge/results/bits.ts";
import { ByteReader, ByteWriter } from "../../../src/products/values-bridge/results/bytes.ts";

describe("in bits", () => {
  test("numbers of any widths are read as they were written, however many there are", () => {
    const number = fc.nat(20).chain((width) => fc.record({ width: fc.constant(width), value: fc.nat(2 ** width - 1) }));
    fc.assert(
      fc.property(fc.array(number, { maxLength: 500, size: "max" }), (numbers) => {
        const writer = new BitWriter();
        for (const { value, width } of numbers) writer.write(value, width);
        const bytes = writer.bytes();
        expect(bytes).toHaveLength(Math.ceil(numbers.reduce((sum, { width }) => sum + width, 0) / 8));
        const reader = new BitReader(bytes);
        expect(numbers.map(({ width }) => reader.read(width))).toEqual(numbers.map(({ value }) => value));
      }),
    );
  });

  test("fill bytes from the highest bit on, and the last one with zeros", () => {
    const writer = new BitWriter();
    for (const [value, width] of [
      [1, 1],
      [2, 3],
      [0x1ff, 9],
    ] as const)
      writer.write(value, width);
    expect(writer.bytes().toString("hex")).toBe("aff8");
  });

  test("a number that does not fit its width is refused, the greatest that does is not", () => {
    const writer = new BitWriter();
    for (const value of [-1, 8, Number.NaN]) expect(() => writer.write(value, 3)).toThrow("does not fit 3 bits");
    for (const value of [0, 7]) writer.write(value, 3);
    expect(writer.bytes().toString("hex")).toBe("1c");
  });

  test("what is read behind the end is refused", () => {
    const reader = new BitReader(Buffer.of(0xff));
    expect(reader.read(8)).toBe(0xff);
    expect(() => reader.read(1)).toThrow(new RangeError("these bytes end too early"));
  });

  test("a width is that of the greatest of so many numbers, none for one alone", () => {
    expect([0, 1, 2, 3, 4, 5, 256, 257].map(bitsOf)).toEqual([0, 0, 1, 2, 2, 3, 8, 9]);
  });
});

describe("in bytes", () => {
  const greatest = 2 ** 31 - 1;

  test("numbers are read as they were written, however many there are", () => {
    const number = fc.oneof(fc.nat(300), fc.nat(greatest));
    fc.assert(
      fc.property(fc.array(number, { maxLength: 500, size: "max" }), (numbers) => {
        const writer = new ByteWriter();
        for (const value of numbers) writer.uint(value);
        const reader = new ByteReader(writer.bytes());
        expect(numbers.map(() => reader.uint())).toEqual(numbers);
      }),
    );
  });

  test.each([
    [0, "00"],
    [0x7f, "7f"],
    [0x80, "8001"],
    [greatest, "ffffffff07"],
  ])("%i is seven bits a byte, the lowest first", (value, hex) => {
    const writer = new ByteWriter();
    writer.uint(value);
    expect(writer.bytes().toString("hex")).toBe(hex);
    expect(new ByteReader(writer.bytes()).uint()).toBe(value);
  });

  test.each([-1, greatest + 1, Number.NaN])("%d is refused", (value) => {
    expect(() => new ByteWriter().uint(value)).toThrow("cannot be written");
  });

  test("what ends within a number, or goes on behind five bytes, is refused", () => {
    for (const hex of ["", "80", "80808080"]) {
      expect(() => new ByteReader(Buffer.from(hex, "hex")).uint()).toThrow("these bytes end too early");
    }
    expect(() => new ByteReader(Buffer.from("808080808000", "hex")).uint()).toThrow("these bytes are no number");
  });
});
