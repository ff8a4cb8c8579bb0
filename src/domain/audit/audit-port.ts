// The audit part of the Store port: records in chains, and the anchors that hold the chains.
import type { AuditRecord, ChainHead } from "./record.ts";

/** A place in the order of a partner's records: by time, then by chain and place in it. */
export interface AuditPlace {
  readonly at: Date;
  readonly writer: string;
  readonly sequence: number;
}

/** Which records are asked for. */
export interface AuditRange {
  /** Inclusive. */
  readonly from: Date;
  /** Only records that come after this place, newest first. */
  readonly before: AuditPlace;
}

/** A chain of records, as the store knows of it. */
export interface Chain {
  readonly writer: string;
  readonly startedAt: Date;
  /** Up to here an anchor holds it; 0 if none does. */
  readonly anchored: number;
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
   * Adds records of one chain, all or none; the chain itself with its first record. Done twice, it is done once: nobody
   * else adds to a chain.
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
  /** Records of a chain behind a place, in order, at most `limit`. */
  listChain(writer: string, after: number, limit: number, signal: AbortSignal): Promise<AuditRecord[]>;
  /** The last record of a chain; undefined if there is none. */
  findHead(writer: string, signal: AbortSignal): Promise<ChainHead | undefined>;
  /** Chains with a writer greater than `after`, ascending, at most `limit`. */
  listChains(after: string, limit: number, signal: AbortSignal): Promise<Chain[]>;
  /** Chains that began after the time, at most `limit`, behind one of them. @param after null: the first */
  listChainsSince(since: Date, after: Chain | null, limit: number, signal: AbortSignal): Promise<Chain[]>;
  /** Chains that began before the time, the oldest first, at most `limit`. */
  listChainsBefore(before: Date, limit: number, signal: AbortSignal): Promise<Chain[]>;
  /** Notes up to where an anchor holds a chain. */
  saveAnchored(writer: string, sequence: number, signal: AbortSignal): Promise<void>;
  findLastAnchor(signal: AbortSignal): Promise<Anchor | undefined>;
  /** The number of the first anchor of that time or later, or of the last one if there is none; 0 without any. */
  findFirstAnchorSince(since: Date, signal: AbortSignal): Promise<number>;
  /** Anchors behind a number, in order, at most `limit`. */
  listAnchors(after: number, limit: number, signal: AbortSignal): Promise<Anchor[]>;
  /** False: there is one of that number already, and nothing was added. */
  insertAnchor(anchor: Anchor, signal: AbortSignal): Promise<boolean>;
  /** Removes records of a chain, the oldest first, at most `limit`; the chain itself once none is left. True: none is. */
  removeRecords(writer: string, limit: number, signal: AbortSignal): Promise<boolean>;
  /** Removes anchors of lower numbers, at most `limit`. Gives how many. */
  removeAnchors(before: number, limit: number, signal: AbortSignal): Promise<number>;
}
