// Bytes that are as good as random, and the same for the same seed.
import { createCipheriv } from "node:crypto";
import type { ByteSource } from "../../../src/products/values-bridge/norms/pool/draw.ts";

/** The key stream of AES in counter mode. */
export function seededBytes(seed: number): ByteSource {
  const key = Buffer.alloc(16);
  key.writeUInt32LE(seed);
  const cipher = createCipheriv("aes-128-ctr", key, Buffer.alloc(16));
  let [chunk, next] = [Buffer.alloc(0), 0];
  return (count) => {
    if (next + count > chunk.length) [chunk, next] = [cipher.update(Buffer.alloc(65_536)), 0];
    next += count;
    return chunk.subarray(next - count, next);
  };
}
