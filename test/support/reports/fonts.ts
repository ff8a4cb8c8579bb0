// Fonts read as far as tests need it: which characters they have, and how wide these are.
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

type Tables = ReadonlyMap<string, Buffer>;

/** Reads a font in the format TrueType or WOFF2. */
export function readFont(file: string) {
  const bytes = readFileSync(file);
  const tables = bytes.toString("latin1", 0, 4) === "wOF2" ? packedTables(bytes) : plainTables(bytes);
  const glyphs = glyphsOf(tables.get("cmap") ?? Buffer.alloc(0));
  const [head, hhea, hmtx] = ["head", "hhea", "hmtx"].map((name) => tables.get(name));
  return {
    /** Code points that have a glyph. */
    characters: [...glyphs.keys()],
    /** The sum of advance widths for a size of 1; of a font for pages, whose widths are packed, nothing. */
    widthOf(text: string) {
      if (head === undefined || hhea === undefined || hmtx === undefined) return 0;
      const last = hhea.readUInt16BE(34) - 1;
      const widths = Array.from(text, (character) => {
        return hmtx.readUInt16BE(4 * Math.min(last, glyphs.get(character.codePointAt(0) ?? 0) ?? 0));
      });
      return widths.reduce((sum, width) => sum + width, 0) / head.readUInt16BE(18);
    },
  };
}

function plainTables(bytes: Buffer): Tables {
  const records = Array.from({ length: bytes.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  return new Map(
    records.map((at) => {
      const [offset, length] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
      return [bytes.toString("latin1", at, at + 4), bytes.subarray(offset, offset + length)];
    }),
  );
}

/** The table of characters alone, which is the one that WOFF2 never transforms. */
function packedTables(bytes: Buffer): Tables {
  let at = 48;
  const variable = () => {
    for (let value = 0; ; ) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value = value * 128 + (byte & 0x7f);
      if (byte < 128) return value;
    }
  };
  const sizes = Array.from({ length: bytes.readUInt16BE(12) }, () => {
    const flags = bytes.readUInt8(at);
    at += 1;
    const tag = flags & 0x3f;
    if (tag === 63) at += 4;
    const length = variable();
    // The outlines, number 10 and 11, are transformed unless said otherwise; others only if said so.
    const isOutline = tag === 10 || tag === 11;
    return { isCharacters: tag === 0, length: isOutline === flags >> 6 < 3 ? variable() : length, flags };
  });
  const start = sizes.findIndex(({ isCharacters }) => isCharacters);
  const before = sizes.slice(0, start).reduce((sum, { length }) => sum + length, 0);
  const data = brotliDecompressSync(bytes.subarray(at, at + bytes.readUInt32BE(20)));
  return new Map([["cmap", data.subarray(before, before + (sizes[start]?.length ?? 0))]]);
}

/** Glyphs by code point, of the table for the Basic Multilingual Plane. */
function glyphsOf(cmap: Buffer): ReadonlyMap<number, number> {
  const offsets = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => cmap.readUInt32BE(4 + 8 * index + 4));
  const table = cmap.subarray(offsets.find((offset) => cmap.readUInt16BE(offset) === 4));
  const count = table.readUInt16BE(6) / 2;
  const glyphs = new Map<number, number>();
  for (let segment = 0; segment < count; segment += 1) {
    const [end, start, delta, range] = [14, 16 + 2 * count, 16 + 4 * count, 16 + 6 * count].map((from) =>
      table.readUInt16BE(from + 2 * segment),
    ) as [number, number, number, number];
    for (let code = start; code <= Math.min(end, 0xfffe); code += 1) {
      const at = 16 + 6 * count + 2 * segment + range + 2 * (code - start);
      const glyph = range === 0 ? code : table.readUInt16BE(at);
      if (glyph !== 0) glyphs.set(code, (glyph + delta) & 0xffff);
    }
  }
  return glyphs;
}
