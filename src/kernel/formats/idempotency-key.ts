// The rules of idempotency keys.
import type { Violation } from "../errors/violation.ts";

const maxIdempotencyKeyLength = 255;

/** Violations of an idempotency key; the key is taken without the quotes it may have come in. */
export function idempotencyKeyViolations(key: string): Violation[] {
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= maxIdempotencyKeyLength) return [];
  const detail = `An idempotency key has 1 to ${maxIdempotencyKeyLength} visible ASCII characters.`;
  return [{ path: ["idempotencyKey"], code: "invalid_idempotency_key", detail }];
}
