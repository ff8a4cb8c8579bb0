// Anchors: once a minute the heads of all chains become one link of a chain of anchors, which is signed and logged.
// Retention deletes what an anchor named before. So anyone who truncates or rewrites a chain has to do the same to the
// anchors, and to the service's own log.
import { type Anchor, type ChainHead, chainLifetimeMs } from "../../domain/audit/trail.ts";
import { dayMs } from "../../kernel/environment.ts";
import type { Needs } from "../dependencies.ts";
import {
  anchorHash,
  anchorsStart,
  beforeAllChains,
  chainHeads,
  computeSignature,
  firstChainAt,
  hex,
  walkAnchors,
} from "./walk.ts";

/** Chains that began earlier than this get no more records, and an anchor contains their last one. */
const watchedMs = 2 * chainLifetimeMs;

/** The content of an anchor. */
export interface AnchorContent {
  /** The head of each chain. */
  readonly heads: readonly (readonly [writer: string, sequence: number, hash: string])[];
  /** Closed chains, whose records are removed from now on. */
  readonly ended: readonly string[];
  /** Anchors before this one are removed from now on. Absent: this anchor removes none. */
  readonly first?: number;
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
    const since = firstChainAt(clock() - watchedMs);
    for (const writer of this.#anchored.keys()) if (writer < since) this.#anchored.delete(writer);
    let heads: ChainHead[] = [];
    for await (const head of chainHeads(audit, since, signal)) {
      if (this.#anchored.get(head.writer) !== head.sequence) heads.push(head);
      if (heads.length < batchSizes.auditChains) continue;
      yield* this.#anchor(heads, signal);
      heads = [];
    }
    if (heads.length > 0) yield* this.#anchor(heads, signal);
  }

  async *#anchor(heads: readonly ChainHead[], signal: AbortSignal): AsyncGenerator<AnchorPosition> {
    const entries = heads.map((head) => [head.writer, head.sequence, hex(head.hash)] as const);
    const anchor = await addAnchor(this.#deps, { heads: entries, ended: [] }, signal);
    if (anchor === undefined) return;
    for (const { writer, sequence } of heads) this.#anchored.set(writer, sequence);
    yield anchor;
  }
}

/**
 * Adds an anchor after the last one; undefined if another process was faster. It copies nothing from the last one, which
 * somebody may have edited in the database: it would then be signed.
 */
export async function addAnchor(
  { audit, clock, auditKeys }: AnchorDeps,
  content: AnchorContent,
  signal: AbortSignal,
): Promise<AnchorPosition | undefined> {
  const last = await audit.findLastAnchor(signal);
  const sequence = (last?.sequence ?? 0) + 1;
  const at = new Date(clock());
  const unsignedAnchor = { sequence, at, content: JSON.stringify(content) };
  const ownHash = anchorHash(last?.hash ?? anchorsStart, unsignedAnchor);
  const [key] = auditKeys;
  const signature = key === undefined ? null : computeSignature(key, ownHash);
  const anchor = { ...unsignedAnchor, hash: ownHash, signature };
  return (await audit.insertAnchor(anchor, signal)) ? { sequence, hash: ownHash } : undefined;
}

export function anchorContent({ content }: Pick<Anchor, "content">): AnchorContent {
  return JSON.parse(content);
}

/**
 * Removes chains whose last record is older than the given days, and the anchors that hold nothing else, batch by batch,
 * until none is left or the signal aborts. Throws if the anchors that it relies on were edited: otherwise somebody could
 * write an old time into an anchor and have the service remove records and sign for it.
 */
export async function expireAudit(deps: AnchorDeps & Needs<"clock">, retentionDays: number, signal: AbortSignal) {
  const { audit, batchSizes, clock } = deps;
  const { auditRecords: size } = batchSizes;
  const chainsBefore = new Date(clock() - retentionDays * dayMs - chainLifetimeMs);
  // An anchor that marks a chain as ended is younger than every record of that chain by that time.
  const anchorsBefore = new Date(chainsBefore.getTime() - chainLifetimeMs);
  while (!signal.aborted) {
    const endedChains = await chainsBegunBefore(deps, chainsBefore, signal);
    const { oldest, first } = await anchorsToKeep(deps, anchorsBefore, signal);
    if (endedChains.length === 0 && oldest >= first) return;
    // Another process may be removing them too.
    if ((await addAnchor(deps, { heads: [], ended: endedChains, first }, signal)) === undefined) return;
    for (const writer of endedChains) {
      while (!signal.aborted && (await audit.removeRecords(writer, size, signal)) === size);
    }
    while (!signal.aborted && (await audit.removeAnchors(first, size, signal)) === size);
    if (endedChains.length < batchSizes.auditChains) return;
  }
}

/** The oldest chains, as many as one anchor names. Their ids, which are part of each of their hashes, begin with the time. */
async function chainsBegunBefore({ audit, batchSizes }: AnchorDeps, time: Date, signal: AbortSignal) {
  const end = firstChainAt(time.getTime());
  const writers: string[] = [];
  for await (const { writer } of chainHeads(audit, beforeAllChains, signal)) {
    if (writer >= end || writers.length === batchSizes.auditChains) break;
    writers.push(writer);
  }
  return writers;
}

/**
 * The numbers of the oldest anchor, and of the first one to keep: the last that is older than every remaining chain, and
 * whose hash and signature are valid. So those before it are older still. 0: none can be removed.
 */
async function anchorsToKeep(deps: AnchorDeps, time: Date, signal: AbortSignal) {
  let [oldest, first, last] = [0, 0, 0];
  for await (const { anchor, state } of walkAnchors(deps, undefined, signal)) {
    const { sequence, at } = anchor;
    if (state === "changed")
      throw new Error(`the anchor ${sequence} of the audit log was changed after it was written`);
    if (oldest === 0) oldest = sequence;
    first = last;
    if (at >= time) break;
    if (state === "written") last = sequence;
  }
  return { oldest, first };
}
