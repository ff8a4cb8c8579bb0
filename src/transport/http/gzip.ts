// Compresses responses that are made for one call.
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const gzipAsync = promisify(gzip);

/** Takes a third of the time of the default level, and leaves a sixth more bytes of JSON: processors are scarcer than bytes. */
const level = 2;

/** The content of a response, compressed off the event loop. */
export function compressed(content: string | Uint8Array): Promise<Buffer<ArrayBuffer>> {
  return gzipAsync(content, { level });
}
