// Anchors: once a minute the heads of all chains become one link of a chain of their own, which is signed and logged.
// So whoever cuts a chain, or writes it anew, has to do the same to the anchors, and to the log.
import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";
import type { Clock, Paging } from "../../kernel/environment.ts";
import type { Anchor, AuditStore } from "./audit-port.ts";
import { chainHeads, firstChainAt } from "./chains.ts";
import type { ChainHead } from "./record.ts";
import { chainLifetimeMs } from "./trail.ts";

const keyIdBytes = 4;
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
  const signature = key === undefined ? null : { keyId: keyIdOf(key), mac: macOf(key, ownHash) };
  const anchor = { ...unsigned, hash: ownHash, signature };
  return (await audit.insertAnchor(anchor, signal)) ? { sequence, hash: ownHash } : undefined;
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

/** Whether one of the keys has signed the anchor. Without keys nobody can tell, and it counts as signed. */
export function isSigned({ hash: signed, signature }: Anchor, keys: readonly Uint8Array[]): boolean {
  if (keys.length === 0) return true;
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
