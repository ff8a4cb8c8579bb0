// The audit part of the Store port: records in chains, and the anchors that hold the chains.

import type { AuditRecord, ChainHead } from "./record.ts";

/** A position in the order of a partner's records: by time, then by chain and position in it. */
export interface AuditPosition {
  readonly at: Date;
  readonly writer: string;
  readonly sequence: number;
}

/** Which records are asked for. */
export interface AuditRange {
  /** Inclusive. */
  readonly from: Date;
  /** Only records that come after this position, newest first. */
  readonly before: AuditPosition;
}

/** A link of the one chain that holds all the others. */
export interface Anchor {
  /** From 1, without holes. */
  readonly sequence: number;
  readonly at: Date;
  /** JSON, see `AnchorContent`. */
  readonly content: string;
  /** SHA-256 over the hash before and the content. */
  readonly hash: Uint8Array;
  /** Of the hash; null if there is no key. */
  readonly signature: { readonly keyId: Uint8Array; readonly mac: Uint8Array } | null;
}

export interface AuditStore {
  /**
   * Adds records of one chain, all or none. Done twice, it is done once: nobody else adds to a chain.
   */
  append(records: readonly AuditRecord[], signal: AbortSignal): Promise<void>;
  /** Records of a partner, the newest first, at most `limit`. */
  listRecords(partnerId: string, range: AuditRange, limit: number, signal: AbortSignal): Promise<AuditRecord[]>;
  /** Those about one session, which need not exist. */
  listSessionRecords(
    partnerId: string,
    sessionId: string,
    range: AuditRange,
    limit: number,
    signal: AbortSignal,
  ): Promise<AuditRecord[]>;
  /** Records of a chain after a position, in order, at most `limit`. */
  listChain(writer: string, after: number, limit: number, signal: AbortSignal): Promise<AuditRecord[]>;
  /** The last record of the first chain whose writer is greater; undefined if there is none. */
  findHeadAfter(writer: string, signal: AbortSignal): Promise<ChainHead | undefined>;
  findLastAnchor(signal: AbortSignal): Promise<Anchor | undefined>;
  /** The number of the first anchor of that time or later, or of the last one if there is none; 0 without any. */
  findFirstAnchorSince(since: Date, signal: AbortSignal): Promise<number>;
  /** Anchors after a number, in order, at most `limit`. */
  listAnchors(after: number, limit: number, signal: AbortSignal): Promise<Anchor[]>;
  /** False: there is one of that number already, and nothing was added. */
  insertAnchor(anchor: Anchor, signal: AbortSignal): Promise<boolean>;
  /** Removes records of a chain, the oldest first, at most `limit`. True: none is left. */
  removeRecords(writer: string, limit: number, signal: AbortSignal): Promise<boolean>;
  /** Removes anchors of lower numbers, at most `limit`. Gives how many. */
  removeAnchors(before: number, limit: number, signal: AbortSignal): Promise<number>;
}
