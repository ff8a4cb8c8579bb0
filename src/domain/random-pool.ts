// Randomness for ids and secrets.
import { randomBytes } from "node:crypto";
import type { RandomBytes } from "../kernel/environment.ts";

const poolBytes = 4096;

/** Draws from the system in pools, since asking it for each id costs ten times as much. No byte is given twice. */
export function pooledRandomBytes(): RandomBytes {
  let pool = randomBytes(0);
  return (length) => {
    if (length > poolBytes) return randomBytes(length);
    if (pool.length < length) pool = randomBytes(poolBytes);
    const given = pool.subarray(0, length);
    pool = pool.subarray(length);
    return given;
  };
}
