// A record of the audit log, and its place in a chain.
import { hash } from "node:crypto";

/** That a caller does or did something. Nothing in it names a person. */
export interface AuditEntry {
  /** The partner whose data or account it is about; null: no partner in particular. */
  readonly partnerId: string | null;
  /** Null: an operator at the command line. */
  readonly clientId: string | null;
  /** Noun and verb, such as `results.read`. */
  readonly action: string;
  readonly sessionId: string | null;
  /** The client or webhook endpoint that it is about. */
  readonly targetId: string | null;
  readonly requestId: string;
  /** `begun` before a change, `ok`, or the code of an error. */
  readonly outcome: string;
}

/** An entry with its position. */
export interface AuditRecord extends AuditEntry {
  /** UUID of the chain. */
  readonly writer: string;
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly at: Date;
  /** SHA-256 over the previous hash and this record. */
  readonly hash: Uint8Array;
}

/** The last known record of a chain, which fixes all records before it. */
export interface ChainHead {
  readonly writer: string;
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** A position in the order of a partner's records: by time, then by chain and position in it. */
export interface AuditPosition {
  readonly at: Date;
  readonly writer: string;
  readonly sequence: number;
}

/** The filter for records. */
export interface AuditRange {
  /** Inclusive. */
  readonly from: Date;
  /** Only records that come after this position, newest first. */
  readonly before: AuditPosition;
}

/** A link of the single chain that holds all the others. */
export interface Anchor {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly at: Date;
  /** JSON, see `AnchorContent`. */
  readonly content: string;
  /** SHA-256 over the previous hash and the content. */
  readonly hash: Uint8Array;
  /** Of the hash; null if there is no key. */
  readonly signature: { readonly keyId: Uint8Array; readonly mac: Uint8Array } | null;
}

/** The previous hash of the first record of a chain. */
export function chainStart(writer: string): Uint8Array {
  return hash("sha256", `audit chain ${writer}`, "buffer");
}

/**
 * The hash of a record: SHA-256 over the previous hash of 32 bytes and the record as a JSON list, in UTF-8. The order of
 * the list must never change.
 */
export function recordHash(before: Uint8Array, record: Omit<AuditRecord, "hash">): Uint8Array {
  const { writer, sequence, at, partnerId, clientId, action, sessionId, targetId, requestId, outcome } = record;
  const content = [writer, sequence, at.toISOString(), partnerId, clientId, action, sessionId, targetId];
  const text = JSON.stringify([...content, requestId, outcome]);
  return hash("sha256", Buffer.concat([before, Buffer.from(text)]), "buffer");
}
