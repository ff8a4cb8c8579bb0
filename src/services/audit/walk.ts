// Reads the audit log: its chains, oldest first, and the chain of anchors, each with its state.
// Verification, anchoring and retention all use it.
import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";
import { NIL, v7 as uuidv7 } from "uuid";
import type { Anchor, ChainHead } from "../../domain/audit/trail.ts";
import type { AuditStore } from "../../store/audit/audit-store.ts";
import { allRows } from "../all-rows.ts";

/** Records or anchors read by one statement. */
export const pageSize = 1_000;
const keyIdBytes = 4;
/** Sorts before the id of every chain. */
export const beforeAllChains = NIL;

/**
 * The last record of each chain whose id is greater than `after`, the oldest chain first. The chains are found by their
 * records: a separate list of chains could be edited without a trace.
 */
export async function* chainHeads(
  audit: Pick<AuditStore, "findHeadAfter">,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<ChainHead> {
  for (let last = after; ; ) {
    const head = await audit.findHeadAfter(last, signal);
    if (head === undefined) return;
    yield head;
    last = head.writer;
  }
}

/** Chains that begin at the time or later have greater ids, chains that began earlier have lower ones (UUIDv7). */
export function firstChainAt(time: number): string {
  return uuidv7({ msecs: time, random: new Uint8Array(16) });
}

/**
 * The state of an anchor.
 * - `written`: it is unchanged, and signed.
 * - `unsigned`: it is unchanged, and lacks the signature of a known key.
 * - `changed`: it differs from what was written.
 * - `unknown`: the anchor before it is missing, so its hash cannot be verified; its content is not trusted.
 */
export type AnchorState = "written" | "unsigned" | "changed" | "unknown";

export interface WalkedAnchor {
  readonly anchor: Anchor;
  readonly state: AnchorState;
}

/**
 * The anchors, the oldest first.
 * @param auditKeys the keys that anchors may be signed with; none: signatures are not checked
 */
export async function* walkAnchors(
  { audit, auditKeys }: { readonly audit: Pick<AuditStore, "listAnchors">; readonly auditKeys: readonly Uint8Array[] },
  signal: AbortSignal,
): AsyncGenerator<WalkedAnchor> {
  let before: Anchor | undefined;
  const read = (after?: Anchor) => audit.listAnchors(after?.sequence ?? 0, pageSize, signal);
  for await (const anchor of allRows(pageSize, read)) {
    const follows = anchor.sequence === (before?.sequence ?? 0) + 1;
    const isSame = follows && Buffer.from(anchorHash(before?.hash ?? anchorsStart, anchor)).equals(anchor.hash);
    const ownState = isSigned(anchor, auditKeys) ? "written" : "unsigned";
    yield {
      anchor,
      state: isSame ? ownState : follows ? "changed" : ownState === "written" ? "unknown" : "unsigned",
    };
    before = anchor;
  }
}

/** The previous hash of the first anchor. */
export const anchorsStart: Uint8Array = hash("sha256", "audit anchors", "buffer");

/** SHA-256 over the previous hash of 32 bytes and the anchor as a JSON list, in UTF-8. */
export function anchorHash(before: Uint8Array, { sequence, at, content }: Omit<Anchor, "hash" | "signature">) {
  const text = JSON.stringify([sequence, at.toISOString(), content]);
  return hash("sha256", Buffer.concat([before, Buffer.from(text)]), "buffer");
}

export function computeSignature(key: Uint8Array, message: Uint8Array) {
  const keyId = createHash("sha256").update(key).digest().subarray(0, keyIdBytes);
  return { keyId, mac: createHmac("sha256", key).update(message).digest() };
}

/** Whether one of the keys has signed the anchor. Without keys it cannot be checked, and counts as signed. */
function isSigned({ hash: anchorsHash, signature }: Anchor, keys: readonly Uint8Array[]): boolean {
  if (keys.length === 0 || signature === null) return keys.length === 0;
  const own = keys.map((key) => computeSignature(key, anchorsHash)).find(({ keyId }) => keyId.equals(signature.keyId));
  return own !== undefined && timingSafeEqual(own.mac, signature.mac);
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
