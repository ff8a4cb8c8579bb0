// Anchors: once a minute the heads of all chains become one link of a chain of anchors, which is signed and logged. So anyone
// who truncates or rewrites a chain has to do the same to the anchors, and to the service's own log.
import { type Anchor, type ChainHead, chainLifetimeMs } from "../../domain/audit/trail.ts";
import { computeFirstId } from "../../domain/identifiers.ts";
import { dayMs } from "../../kernel/environment.ts";
import type { Needs } from "../dependencies.ts";
import { anchorsStart, beforeAllChains, computeAnchorHash, computeSignature, listChainHeads, toHex } from "./chains.ts";

/** Chains that began earlier than this get no more records, and an anchor contains their last one. */
const watchedMs = 2 * chainLifetimeMs;

/** The content of an anchor. */
interface AnchorContent {
  /** The head of each chain. */
  readonly heads: readonly (readonly [writer: string, sequence: number, hash: string])[];
}

export type AnchorDeps = Needs<"batchSizes" | "audit" | "clock"> & {
  /** Of 32 bytes each: the first signs, all verify. None: anchors are not signed. */
  readonly auditKeys: readonly Uint8Array[];
};

/** The position of an anchor, as it is logged. */
export type AnchorPosition = Pick<Anchor, "sequence" | "hash">;

/** Anchors chains. Its progress in each chain is kept in memory: a mark in the database could be edited. */
export class ChainAnchorer {
  readonly #deps: AnchorDeps;
  /** By chain, for chains that may still grow: the sequence of the last anchored record. */
  readonly #anchored = new Map<string, number>();

  constructor(deps: AnchorDeps) {
    this.#deps = deps;
  }

  /**
   * Anchors the chains that have grown since this object last anchored them; the first time, all that may still grow.
   * Yields each new anchor once it is stored: none if nothing has grown, or if another process was faster. Throws as the
   * store does.
   */
  async *run(signal: AbortSignal): AsyncGenerator<AnchorPosition> {
    const { audit, clock, batchSizes } = this.#deps;
    const since = computeFirstId(clock() - watchedMs);
    for (const writer of this.#anchored.keys()) if (writer < since) this.#anchored.delete(writer);
    let heads: ChainHead[] = [];
    for await (const head of listChainHeads(audit, since, signal)) {
      if (this.#anchored.get(head.writer) !== head.sequence) heads.push(head);
      if (heads.length < batchSizes.auditChains) continue;
      yield* this.#createAnchor(heads, signal);
      heads = [];
    }
    if (heads.length > 0) yield* this.#createAnchor(heads, signal);
  }

  async *#createAnchor(heads: readonly ChainHead[], signal: AbortSignal): AsyncGenerator<AnchorPosition> {
    const entries = heads.map((head) => [head.writer, head.sequence, toHex(head.hash)] as const);
    const anchor = await addAnchor(this.#deps, { heads: entries }, signal);
    if (anchor === undefined) return;
    for (const { writer, sequence } of heads) this.#anchored.set(writer, sequence);
    yield anchor;
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
  const at = new Date(clock());
  const unsignedAnchor = { sequence, at, content: JSON.stringify(content) };
  const ownHash = computeAnchorHash(last?.hash ?? anchorsStart, unsignedAnchor);
  const [key] = auditKeys;
  const signature = key === undefined ? null : computeSignature(key, ownHash);
  const anchor = { ...unsignedAnchor, hash: ownHash, signature };
  return (await audit.insertAnchor(anchor, signal)) ? { sequence, hash: ownHash } : undefined;
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
  { audit, batchSizes, clock }: Needs<"audit" | "batchSizes" | "clock">,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  const { auditRecords: size } = batchSizes;
  const before = computeVerifiedFrom(clock(), retentionDays + marginDays);
  const end = computeFirstId(before);
  for await (const { writer } of listChainHeads(audit, beforeAllChains, signal)) {
    if (writer >= end) break;
    while (!signal.aborted && (await audit.removeRecords(writer, size, signal)) === size);
  }
  while (!signal.aborted && (await audit.removeAnchors(new Date(before), size, signal)));
}
