// A record of the audit log, and the chain that it is a link of.
import { hash } from "node:crypto";

/** That somebody does or did something. Nothing in it names a person. */
export interface AuditEntry {
  /** The partner whose data or account it is about; null: nobody's in particular. */
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

/** An entry in its place. */
export interface AuditRecord extends AuditEntry {
  /** UUID of the chain. */
  readonly writer: string;
  /** From 1, without holes. */
  readonly sequence: number;
  readonly at: Date;
  /** SHA-256 over the hash before and this record. */
  readonly hash: Uint8Array;
}

/** A link of a chain: so far it goes, and nothing of it was another. */
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

/** What stands for the hash before the first record of a chain. */
export function chainStart(writer: string): Uint8Array {
  return hash("sha256", `audit chain ${writer}`, "buffer");
}

/**
 * The hash of a record: SHA-256 over the 32 bytes before it and the record as a JSON list, in UTF-8. The order of the list
 * is for ever.
 */
export function recordHash(before: Uint8Array, record: Omit<AuditRecord, "hash">): Uint8Array {
  const { writer, sequence, at, partnerId, clientId, action, sessionId, targetId, requestId, outcome } = record;
  const content = [writer, sequence, at.toISOString(), partnerId, clientId, action, sessionId, targetId];
  const text = JSON.stringify([...content, requestId, outcome]);
  return hash("sha256", Buffer.concat([before, Buffer.from(text)]), "buffer");
}
