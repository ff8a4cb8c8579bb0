// Anchors: once a minute the heads of all chains become one link of a chain of their own, which is signed and logged. So
// whoever cuts a chain, or writes it anew, has to do the same to the anchors, and to the log.
import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../kernel/environment.ts";
import type { Anchor, AuditStore, Chain } from "./audit-port.ts";
import type { ChainHead } from "./record.ts";
import { chainLifetimeMs } from "./trail.ts";

const keyIdBytes = 4;
/** Chains of one anchor, and of one reading. */
export const maxAnchored = 200;
/** Chains that began earlier take no records any more, and an anchor holds their last one. */
const watchedMs = 2 * chainLifetimeMs;

/** What an anchor says. */
export interface AnchorContent {
  /** Where chains were. */
  readonly heads: readonly (readonly [writer: string, sequence: number, hash: string])[];
  /** Chains whose time is over: from now on their records are removed. */
  readonly ended: readonly string[];
  /** Anchors before this one are removed from now on. */
  readonly first: number;
}

export interface AnchorDeps {
  readonly audit: AuditStore;
  readonly clock: Clock;
  /** Of 32 bytes each: the first signs, all verify. None: anchors are not signed. */
  readonly auditKeys: readonly Uint8Array[];
}

/** The place of an anchor, as it is logged. */
export type AnchorPlace = Pick<Anchor, "sequence" | "hash">;

/**
 * Anchors the chains that have grown since they were anchored last. Throws as the store does.
 * @returns the new anchor; undefined if nothing has grown, or if another process was faster
 */
export async function anchorHeads(deps: AnchorDeps, signal: AbortSignal): Promise<AnchorPlace | undefined> {
  const { audit, clock } = deps;
  const since = new Date(clock() - watchedMs);
  const heads: ChainHead[] = [];
  for (let after: Chain | null = null; heads.length < maxAnchored; ) {
    const chains: Chain[] = await audit.listChainsSince(since, after, maxAnchored, signal);
    for (const { writer, anchored } of chains) {
      const head = await audit.findHead(writer, signal);
      // A mark that is ahead was not made here, and must not keep the chain from being held.
      if (head !== undefined && head.sequence !== anchored) heads.push(head);
    }
    after = chains.at(-1) ?? null;
    if (chains.length < maxAnchored) break;
  }
  if (heads.length === 0) return undefined;
  const listed = heads.map((head) => [head.writer, head.sequence, hex(head.hash)] as const);
  const anchor = await addAnchor(deps, (last) => ({ heads: listed, ended: [], first: last?.first ?? 1 }), signal);
  if (anchor === undefined) return undefined;
  for (const { writer, sequence } of heads) await audit.saveAnchored(writer, sequence, signal);
  return anchor;
}

/** Adds an anchor behind the last one; undefined if another process was faster. */
export async function addAnchor(
  { audit, clock, auditKeys }: AnchorDeps,
  contentAfter: (last: AnchorContent | undefined) => AnchorContent,
  signal: AbortSignal,
): Promise<AnchorPlace | undefined> {
  const last = await audit.findLastAnchor(signal);
  const content = JSON.stringify(contentAfter(last && (await writtenContent(audit, last, signal))));
  const sequence = (last?.sequence ?? 0) + 1;
  const at = new Date(clock());
  const unsigned = { sequence, at, content };
  const ownHash = anchorHash(last?.hash ?? anchorsStart, unsigned);
  const [key] = auditKeys;
  const signature = key === undefined ? null : { keyId: keyIdOf(key), mac: macOf(key, ownHash) };
  const anchor = { ...unsigned, hash: ownHash, signature };
  return (await audit.insertAnchor(anchor, signal)) ? { sequence, hash: ownHash } : undefined;
}

/**
 * What the last anchor says, if it is what was written; undefined if nobody can tell. Else a hand at that row would have
 * what it likes said again, and signed.
 */
async function writtenContent(
  audit: AuditStore,
  last: Anchor,
  signal: AbortSignal,
): Promise<AnchorContent | undefined> {
  const { sequence } = last;
  const [before] = sequence === 1 ? [] : await audit.listAnchors(sequence - 2, 1, signal);
  const hashBefore = sequence === 1 ? anchorsStart : before?.hash;
  const isWritten = hashBefore !== undefined && anchorHash(hashBefore, last).equals(last.hash);
  return isWritten ? anchorContent(last) : undefined;
}

/** What stands for the hash before the first anchor. */
export const anchorsStart: Uint8Array = hash("sha256", "audit anchors", "buffer");

/** SHA-256 over the 32 bytes before it and the anchor as a JSON list, in UTF-8. */
export function anchorHash(before: Uint8Array, { sequence, at, content }: Omit<Anchor, "hash" | "signature">) {
  const text = JSON.stringify([sequence, at.toISOString(), content]);
  return hash("sha256", Buffer.concat([before, Buffer.from(text)]), "buffer");
}

export function anchorContent({ content }: Pick<Anchor, "content">): AnchorContent {
  return JSON.parse(content);
}

/** Whether one of the keys has signed the anchor. */
export function isSigned({ hash: signed, signature }: Anchor, keys: readonly Uint8Array[]): boolean {
  if (signature === null) return false;
  const key = keys.find((each) => Buffer.from(signature.keyId).equals(keyIdOf(each)));
  return key !== undefined && timingSafeEqual(macOf(key, signed), signature.mac);
}

function keyIdOf(key: Uint8Array): Buffer {
  return createHash("sha256").update(key).digest().subarray(0, keyIdBytes);
}

function macOf(key: Uint8Array, message: Uint8Array): Buffer {
  return createHmac("sha256", key).update(message).digest();
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
