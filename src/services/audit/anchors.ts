// Anchors: once a minute the heads of all chains become one link of a chain of their own, which is signed and logged.
// So whoever cuts a chain, or writes it anew, has to do the same to the anchors, and to the log.

import type { Anchor, ChainHead } from "../../domain/audit/record.ts";
import { chainLifetimeMs } from "../../domain/audit/trail.ts";
import type { Clock, Paging } from "../../kernel/environment.ts";
import type { AuditStore } from "../../store/audit/audit-store.ts";
import { anchorHash, anchorsStart, chainHeads, firstChainAt, hex, signatureOf } from "./walk.ts";

/** Chains of one anchor. */
export const maxAnchored = 200;
/** Chains that began earlier take no records any more, and an anchor holds their last one. */
const watchedMs = 2 * chainLifetimeMs;

/** What an anchor says. */
export interface AnchorContent {
  /** Where chains were. */
  readonly heads: readonly (readonly [writer: string, sequence: number, hash: string])[];
  /** Chains whose time is over: from now on their records are removed. */
  readonly ended: readonly string[];
  /** Anchors before this one are removed from now on. Absent: this anchor removes none. */
  readonly first?: number;
}

export interface AnchorDeps extends Paging {
  readonly audit: AuditStore;
  readonly clock: Clock;
  /** Of 32 bytes each: the first signs, all verify. None: anchors are not signed. */
  readonly auditKeys: readonly Uint8Array[];
}

/** The position of an anchor, as it is logged. */
export type AnchorPosition = Pick<Anchor, "sequence" | "hash">;

/** Anchors chains. It remembers how far it has anchored each of them: a mark in the database could be edited. */
export class ChainAnchorer {
  readonly #deps: AnchorDeps;
  /** By chain, for those that may still grow: the sequence of the record that was anchored last. */
  readonly #anchored = new Map<string, number>();

  constructor(deps: AnchorDeps) {
    this.#deps = deps;
  }

  /**
   * Anchors the chains that have grown since this object anchored them last; the first time, all that may still grow.
   * Gives each new anchor once it is stored: none if nothing has grown, or if another process is faster. Throws as the
   * store does.
   */
  async *run(signal: AbortSignal): AsyncGenerator<AnchorPosition> {
    const { audit, clock, mostAtOnce = maxAnchored } = this.#deps;
    const since = firstChainAt(clock() - watchedMs);
    for (const writer of this.#anchored.keys()) if (writer < since) this.#anchored.delete(writer);
    let heads: ChainHead[] = [];
    for await (const head of chainHeads(audit, since, signal)) {
      if (this.#anchored.get(head.writer) !== head.sequence) heads.push(head);
      if (heads.length < mostAtOnce) continue;
      yield* this.#anchor(heads, signal);
      heads = [];
    }
    if (heads.length > 0) yield* this.#anchor(heads, signal);
  }

  async *#anchor(heads: readonly ChainHead[], signal: AbortSignal): AsyncGenerator<AnchorPosition> {
    const listed = heads.map((head) => [head.writer, head.sequence, hex(head.hash)] as const);
    const anchor = await addAnchor(this.#deps, { heads: listed, ended: [] }, signal);
    if (anchor === undefined) return;
    for (const { writer, sequence } of heads) this.#anchored.set(writer, sequence);
    yield anchor;
  }
}

/**
 * Adds an anchor after the last one; undefined if another process is faster. It says nothing that the last one says:
 * that may be what somebody wrote into the database, and would then be signed.
 */
export async function addAnchor(
  { audit, clock, auditKeys }: AnchorDeps,
  said: AnchorContent,
  signal: AbortSignal,
): Promise<AnchorPosition | undefined> {
  const last = await audit.findLastAnchor(signal);
  const content = JSON.stringify(said);
  const sequence = (last?.sequence ?? 0) + 1;
  const at = new Date(clock());
  const unsigned = { sequence, at, content };
  const ownHash = anchorHash(last?.hash ?? anchorsStart, unsigned);
  const [key] = auditKeys;
  const signature = key === undefined ? null : signatureOf(key, ownHash);
  const anchor = { ...unsigned, hash: ownHash, signature };
  return (await audit.insertAnchor(anchor, signal)) ? { sequence, hash: ownHash } : undefined;
}

export function anchorContent({ content }: Pick<Anchor, "content">): AnchorContent {
  return JSON.parse(content);
}
