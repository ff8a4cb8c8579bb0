// What verification, anchoring and retention of the audit log share: its chains, oldest first, and the hashes of anchors.
import { createHmac, hash } from "node:crypto";
import { NIL } from "uuid";
import type { Anchor, ChainHead } from "../../domain/audit/trail.ts";
import type { AuditStore } from "../../store/audit/audit-store.ts";
import { readOneByOne } from "../all-rows.ts";

const keyIdBytes = 4;
/** Sorts before the id of every chain. */
export const beforeAllChains = NIL;

/**
 * The last record of each chain whose id is greater than `after`, the oldest chain first. The chains are found by their
 * records: a separate list of chains could be edited without a trace.
 */
export function listChainHeads(
  audit: Pick<AuditStore, "findHeadAfter">,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<ChainHead> {
  return readOneByOne((last) => audit.findHeadAfter(last?.writer ?? after, signal));
}

/** The previous hash of the first anchor. */
export const anchorsStart: Uint8Array = hash("sha256", "audit anchors", "buffer");

/** SHA-256 over the previous hash of 32 bytes and the anchor as a JSON list, in UTF-8. */
export function computeAnchorHash(before: Uint8Array, { sequence, at, content }: Omit<Anchor, "hash" | "signature">) {
  const text = JSON.stringify([sequence, at.toISOString(), content]);
  return hash("sha256", Buffer.concat([before, Buffer.from(text)]), "buffer");
}

export function computeSignature(key: Uint8Array, message: Uint8Array) {
  const keyId = hash("sha256", key, "buffer").subarray(0, keyIdBytes);
  return { keyId, mac: createHmac("sha256", key).update(message).digest() };
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
