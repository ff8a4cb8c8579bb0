// Verifies that the audit log is unchanged: every record is in its place with the content that was written.

import { type Anchor, type AuditRecord, chainStart, recordHash } from "../../domain/audit/trail.ts";
import type { AuditStore } from "../../store/audit/audit-store.ts";
import { allRows } from "../all-rows.ts";
import { type AnchorDeps, type AnchorPosition, anchorContent } from "./anchors.ts";
import { beforeAllChains, chainHeads, hex, pageSize, type WalkedAnchor, walkAnchors } from "./walk.ts";

/**
 * The kinds of fault.
 * - `changed`: it differs from what was written.
 * - `removed`: it is missing, although a later one exists.
 * - `cut`: it is missing, and so is everything after it.
 * - `unsigned`: an anchor lacks the signature of a known key.
 */
export interface AuditFault {
  readonly fault: "changed" | "removed" | "cut" | "unsigned";
  /** The chain; null: the chain of anchors. */
  readonly writer: string | null;
  /** Its position in the chain; the first one if several are missing. */
  readonly sequence: number;
}

export interface Verification {
  readonly records: number;
  readonly chains: number;
  readonly anchors: number;
  /** The last anchor; null if there is none. */
  readonly head: AnchorPosition | null;
  readonly faults: number;
}

type Report = (fault: AuditFault) => void;

/**
 * Reads the whole log.
 * @param expectedAnchors anchors that the service has logged: they must exist
 * @param report called for every fault
 */
export async function verifyAudit(
  deps: Pick<AnchorDeps, "audit" | "auditKeys">,
  expectedAnchors: readonly AnchorPosition[],
  report: Report,
  signal: AbortSignal,
): Promise<Verification> {
  let faults = 0;
  const count: Report = (fault) => {
    faults += 1;
    report(fault);
  };
  const anchors = new AnchorsRead(expectedAnchors, count);
  const readAnchors = async () => {
    for await (const anchor of walkAnchors(deps, anchors.last, signal)) anchors.add(anchor);
  };
  await readAnchors();
  const writers = new Set(anchors.heads.keys());
  for await (const { writer } of chainHeads(deps.audit, beforeAllChains, signal)) writers.add(writer);
  let [records, chains] = [0, 0];
  for (const writer of writers) {
    if (anchors.ended.has(writer)) continue;
    const chainFaults: AuditFault[] = [];
    const verifiedCount = await verifyChain(
      deps.audit,
      writer,
      anchors.heads.get(writer),
      (fault) => chainFaults.push(fault),
      signal,
    );
    // Retention may have removed it since the anchors were read; an earlier anchor names that removal.
    if (chainFaults.length > 0) await readAnchors();
    if (anchors.ended.has(writer)) continue;
    chainFaults.forEach(count);
    chains += 1;
    records += verifiedCount;
  }
  return { records, chains, ...anchors.end(), faults };
}

async function verifyChain(
  audit: AuditStore,
  writer: string,
  heads: ReadonlyMap<number, string> = new Map(),
  report: Report,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  let before: Uint8Array | undefined = chainStart(writer);
  let last = 0;
  const read = (after?: AuditRecord) => audit.listChain(writer, after?.sequence ?? 0, pageSize, signal);
  for await (const record of allRows(pageSize, read)) {
    const { sequence, hash } = record;
    count += 1;
    if (sequence !== last + 1) {
      report({ fault: "removed", writer, sequence: last + 1 });
      before = undefined;
    }
    const isWritten = before === undefined || Buffer.from(recordHash(before, record)).equals(hash);
    const anchoredHead = heads.get(sequence);
    if (!isWritten || (anchoredHead !== undefined && anchoredHead !== hex(hash)))
      report({ fault: "changed", writer, sequence });
    before = hash;
    last = sequence;
  }
  if ([...heads.keys()].some((sequence) => last < sequence)) report({ fault: "cut", writer, sequence: last + 1 });
  return count;
}

/** The valid content of the anchors about the chains. */
class AnchorsRead {
  /** Records that must exist: the hash of each record that was the last one of its chain. */
  readonly heads = new Map<string, Map<number, string>>();
  /** Chains that retention removes. */
  readonly ended = new Set<string>();
  last: Anchor | undefined;
  readonly #report: Report;
  /** Anchors that were logged and not read yet, by position. */
  readonly #missing: Map<number, string>;
  /** Missing positions before the anchors that exist. */
  readonly #gaps: { readonly from: number; readonly to: number }[] = [];
  /** Retention removes anchors before this position, maybe while they are being read; an anchor names it. */
  #first = 1;
  #count = 0;

  /** @param expectedAnchors anchors that must exist */
  constructor(expectedAnchors: readonly AnchorPosition[], report: Report) {
    this.#report = report;
    this.#missing = new Map(expectedAnchors.map(({ sequence, hash }) => [sequence, hex(hash)]));
  }

  add({ anchor, state }: WalkedAnchor): void {
    const { sequence, hash } = anchor;
    const expectedSequence = (this.last?.sequence ?? 0) + 1;
    if (sequence !== expectedSequence) this.#gaps.push({ from: expectedSequence, to: sequence });
    const isLogged = (this.#missing.get(sequence) ?? hex(hash)) === hex(hash);
    this.#missing.delete(sequence);
    const fault = isLogged ? state : "changed";
    if (fault === "changed" || fault === "unsigned") this.#report({ fault, writer: null, sequence });
    this.#count += 1;
    this.last = anchor;
    if (fault !== "written") return;
    const { heads, ended: endedChains, first = 1 } = anchorContent(anchor);
    for (const [writer, at, headHash] of heads) {
      const headHashes = this.heads.get(writer) ?? new Map<number, string>();
      this.heads.set(writer, headHashes);
      // A rewritten chain may have been anchored again: the first anchor counts.
      if (!headHashes.has(at)) headHashes.set(at, headHash);
    }
    for (const writer of endedChains) this.ended.add(writer);
    this.#first = Math.max(this.#first, first);
  }

  /** Reports what is missing, after all were read. @returns their number, and the last one */
  end(): Pick<Verification, "anchors" | "head"> {
    for (const { from, to } of this.#gaps) {
      const lacking = Math.max(from, this.#first);
      if (lacking < to) this.#report({ fault: "removed", writer: null, sequence: lacking });
    }
    for (const [sequence] of this.#missing) {
      if (sequence > (this.last?.sequence ?? 0)) this.#report({ fault: "cut", writer: null, sequence });
    }
    const head = this.last === undefined ? null : { sequence: this.last.sequence, hash: this.last.hash };
    return { anchors: this.#count, head };
  }
}
