// The header that makes a repeated request find what the first one made.
import type { FastifyRequest } from "fastify";

/** The idempotency key of a request; undefined without one. `k` and `"k"` are one key. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const value = request.headers["idempotency-key"];
  if (value === undefined) return undefined;
  const text = Array.isArray(value) ? value.join(", ") : value;
  return /^"(.*)"$/.exec(text)?.[1] ?? text;
}
