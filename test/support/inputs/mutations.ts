// Requests that are nearly right: values that fit, changed in a random place.
import fc from "fast-check";

/** Texts that programs stumble over. */
const nastyText = fc.constantFrom(
  "",
  "\u0000",
  "\ud800",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "' OR 1=1 --",
  "{{7*7}}",
  "%00",
  "\r\nX-Injected: 1",
  "a".repeat(5000),
);

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  nastyText,
  fc.constantFrom(null, true, -0, 1e308, -1e308, 2 ** 53, [], {}),
);

/** The value with something replaced, removed or added somewhere inside, or as it is. */
export function mutated(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(value, fc.array(fc.nat(20), { maxLength: 4 }), fc.nat(4), anyJson, nastyText).map(change);
}

type Change = [value: unknown, path: number[], kind: number, other: unknown, name: string];

function change([value, path, kind, other, name]: Change): unknown {
  const [step, ...rest] = path;
  if (kind === 0) return value;
  if (typeof value !== "object" || value === null) return other;
  const entries = Object.entries(value);
  const target = entries[(step ?? 0) % Math.max(entries.length, 1)];
  if (target === undefined || step === undefined)
    return kind < 3 ? other : Array.isArray(value) ? [other] : { [name]: other };
  const [key, member] = target;
  const changedEntries = entries.flatMap(([each, old]): [string, unknown][] => {
    if (each !== key) return [[each, old]];
    if (rest.length > 0) return [[each, change([member, rest, kind, other, name])]];
    if (kind === 1) return [];
    return kind === 2
      ? [[each, other]]
      : [
          [each, old],
          [name, other],
        ];
  });
  return Array.isArray(value) ? changedEntries.map(([, each]) => each) : Object.fromEntries(changedEntries);
}

/** Bytes with some of them flipped, cut off, repeated or put in. */
export function mutatedBytes(bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(bytes, fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(3)), { maxLength: 4 }))
    .map(([original, edits]) =>
      edits.reduce((current, [at, byte, kind]) => {
        const index = at % (current.length + 1);
        const [before, after] = [current.subarray(0, index), current.subarray(index)];
        if (kind === 0) return Buffer.concat([before, Buffer.of(byte), after.subarray(1)]);
        if (kind === 1) return Buffer.concat([before, Buffer.of(byte), after]);
        return kind === 2 ? before : Buffer.concat([before, before, after]);
      }, original),
    );
}
