// Static files: rendered and compressed once, off the event loop, with an entity tag of their content.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { FastifyReply } from "fastify";
import { type Coding, compress, type Representation, sendWithEtag } from "./send.ts";

const brotliAsync = promisify(brotliCompress);

/** Longer files are compressed at a lower level, in a tenth of the time. */
const maxSlowBytes = 32_768;
/** Seconds for which browsers may cache files that are named by their content. */
export const immutableSeconds = 31_536_000;

/** A file that is ready to be sent. */
export class StaticFile implements Representation {
  readonly type: string;
  readonly codings: readonly Coding[];
  /** A hash of the content, for names and entity tags. */
  readonly tag: string;
  readonly content: Buffer;
  readonly #bodies = new Map<Coding, Promise<Buffer>>();

  constructor(type: string, content: string | Buffer) {
    this.type = type;
    this.codings = type === "image/png" ? ["identity"] : ["br", "gzip", "identity"];
    this.content = Buffer.from(content);
    this.tag = hash("sha256", this.content, "base64url").slice(0, 12);
  }

  /** The content in a coding, made on first use. */
  body(coding: Coding): Buffer | Promise<Buffer> {
    if (coding === "identity") return this.content;
    const body = this.#bodies.get(coding) ?? this.#encode(coding);
    this.#bodies.set(coding, body);
    return body;
  }

  #encode(coding: "br" | "gzip"): Promise<Buffer> {
    if (coding === "gzip") return compress(this.content);
    const quality = this.content.length > maxSlowBytes ? 6 : constants.BROTLI_MAX_QUALITY;
    return brotliAsync(this.content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  }
}

/** The content security policy of pages: they load from this service alone. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const securityHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/** Sends a file, or 304. @param maxAgeSeconds how long a browser may cache it */
export function sendStatic(
  reply: FastifyReply,
  file: StaticFile,
  maxAgeSeconds: number,
  policy = contentSecurityPolicy,
) {
  const immutable = maxAgeSeconds === immutableSeconds ? ", immutable" : "";
  reply.headers({
    ...securityHeaders,
    "content-security-policy": policy,
    "cache-control": `public, max-age=${maxAgeSeconds}${immutable}`,
  });
  return sendWithEtag(reply, file, file.tag);
}

/** Sends the page for an unknown address. */
export function sendNotFoundPage(reply: FastifyReply, html: string) {
  return reply
    .code(404)
    .headers({ ...securityHeaders, "cache-control": "no-store" })
    .type("text/html; charset=utf-8")
    .send(html);
}
