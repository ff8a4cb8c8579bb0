// Anchors: once a minute the heads of all chains become one link of a chain of anchors, which is signed and logged. So anyone
// who truncates or rewrites a chain has to do the same to the anchors, and to the service's own log.
import { createHmac, hash } from "node:crypto";
import { NIL } from "uuid";
import { type Anchor, type ChainHead, chainLifetimeMs } from "../../domain/audit/trail.ts";
import { computeFirstId, computeKeyId } from "../../domain/identifiers.ts";
import { dayMs } from "../../kernel/environment.ts";
import type { AuditStore } from "../../store/audit/audit-store.ts";
import { readOneByOne } from "../all-rows.ts";
import type { Dependencies } from "../dependencies.ts";

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
  return { keyId: computeKeyId(key), mac: createHmac("sha256", key).update(message).digest() };
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Chains that began earlier than this get no more records, and an anchor contains their last one. */
const watchedMs = 2 * chainLifetimeMs;

/** The content of an anchor. */
interface AnchorContent {
  /** The head of each chain. */
  readonly heads: readonly (readonly [writer: string, sequence: number, hash: string])[];
}

export type AnchorDeps = Pick<Dependencies, "audit" | "clock"> & {
  /** Of 32 bytes each: the first signs, all verify. None: anchors are not signed. */
  readonly auditKeys: readonly Uint8Array[];
};

/** The position of an anchor, as it is logged. */
export type AnchorPosition = Pick<Anchor, "sequence" | "hash">;

/** Anchors chains. Its progress in each chain is kept in memory: a mark in the database could be edited. */
export class ChainAnchorer {
  readonly #deps: AnchorDeps;
  /** By chain, for chains that may still grow: the sequence of the last anchored record. */
  #anchored: ReadonlyMap<string, number> = new Map();

  constructor(deps: AnchorDeps) {
    this.#deps = deps;
  }

  /**
   * Anchors the chains that have grown since this object last anchored them; the first time, all that may still grow.
   * @returns the new anchor; undefined if nothing has grown, or if another process was faster. Throws as the store does.
   */
  async run(signal: AbortSignal): Promise<AnchorPosition | undefined> {
    const { audit, clock } = this.#deps;
    const chains = await Array.fromAsync(listChainHeads(audit, computeFirstId(clock() - watchedMs), signal));
    const grown = chains.filter(({ writer, sequence }) => this.#anchored.get(writer) !== sequence);
    if (grown.length === 0) return undefined;
    const heads = grown.map((head) => [head.writer, head.sequence, toHex(head.hash)] as const);
    const anchor = await addAnchor(this.#deps, { heads }, signal);
    if (anchor !== undefined) this.#anchored = new Map(chains.map(({ writer, sequence }) => [writer, sequence]));
    return anchor;
  }
}

/**
 * Adds an anchor after the last one; undefined if another process was faster. It copies nothing from the last one, which
 * somebody may have edited in the database: it would then be signed.
 */
async function addAnchor(
  { audit, clock, auditKeys }: AnchorDeps,
  content: AnchorContent,
  signal: AbortSignal,
): Promise<AnchorPosition | undefined> {
  const last = await audit.findLastAnchor(signal);
  const sequence = (last?.sequence ?? 0) + 1;
  const unsignedAnchor = { sequence, at: new Date(clock()), content: JSON.stringify(content) };
  const ownHash = computeAnchorHash(last?.hash ?? anchorsStart, unsignedAnchor);
  const [key] = auditKeys;
  const signature = key === undefined ? null : computeSignature(key, ownHash);
  const anchor = { ...unsignedAnchor, hash: ownHash, signature };
  return (await audit.insertAnchor(anchor, signal)) ? anchor : undefined;
}

export function parseAnchorContent({ content }: Pick<Anchor, "content">): AnchorContent {
  return JSON.parse(content);
}

/** Verification may begin before a removal and end after it, so that it expects a day less than is kept. */
const marginDays = 1;

/** Chains that begin at this time or later, and anchors, are verified. */
export function computeVerifiedFrom(now: number, retentionDays: number): number {
  return now - chainLifetimeMs - retentionDays * dayMs;
}

/**
 * Removes chains whose last record is older than the given days, and the anchors of that time, batch by batch, until none is
 * left or the signal aborts. The age of a chain is in its id, which is part of each of its hashes.
 */
export async function removeOldAudit(
  { audit, batchSizes, clock }: Pick<Dependencies, "audit" | "batchSizes" | "clock">,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  const { auditRecords: size } = batchSizes;
  const before = computeVerifiedFrom(clock(), retentionDays + marginDays);
  const end = computeFirstId(before);
  for await (const { writer } of listChainHeads(audit, NIL, signal)) {
    if (writer >= end) break;
    while (!signal.aborted && (await audit.removeRecords(writer, size, signal)) === size);
  }
  while (!signal.aborted && (await audit.removeAnchors(new Date(before), size, signal)));
}
