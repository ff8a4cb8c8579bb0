// Packed messages of Connect and gRPC-Web.
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";

/** Shorter responses fit one packet anyway. */
const minPackedBytes = 1400;
const gunzipAsync = promisify(gunzip);
const gzipAsync = promisify(gzip);

/** The unpacked bytes. What would unpack to more than the limit is unpacked no further. */
export async function unpack(bytes: Buffer, packing: "gzip" | "identity", { maxBytes }: ReadLimits): Promise<Buffer> {
  if (packing === "identity") return bytes;
  try {
    return await gunzipAsync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Refusal("payload_too_large", `A message of this call has at most ${maxBytes} bytes.`);
    }
    throw new Refusal("malformed_request", "The message is not packed with gzip.");
  }
}

/** The bytes packed if the caller takes that and it is worth it; undefined if not. */
export async function pack(bytes: Uint8Array, accepted: string | undefined): Promise<Buffer | undefined> {
  if (bytes.length < minPackedBytes || accepted === undefined || !/(^|[,\s])gzip([,;\s]|$)/.test(accepted)) {
    return undefined;
  }
  return gzipAsync(bytes);
}
