// Finds out whether the anchors of the audit log are what was written, and where chains have to be, as far as they
// tell.

import { type AnchorPosition, anchorContent, anchorHash, anchorsStart, isSigned } from "./anchors.ts";
import type { Anchor, AuditStore } from "./audit-port.ts";

/** Records or anchors of one statement. */
export const pageSize = 1_000;

/**
 * What is wrong.
 * - `changed`: it is not what it was when it was written.
 * - `removed`: it is not there, though something after it is.
 * - `cut`: it is not there, nor anything after it.
 * - `unsigned`: an anchor lacks the signature of a known key.
 */
export type FaultKind = "changed" | "removed" | "cut" | "unsigned";

export interface AuditFault {
  readonly fault: FaultKind;
  /** The chain; null: the one of the anchors. */
  readonly writer: string | null;
  /** Its position in the chain; of several that are missing, the first. */
  readonly sequence: number;
}

/** Notified of a fault. */
export type Report = (fault: AuditFault) => void;

export interface AnchorsVerifierDeps {
  readonly audit: Pick<AuditStore, "listAnchors">;
  /** The keys that anchors may be signed with; none: signatures are not looked at. */
  readonly auditKeys: readonly Uint8Array[];
}

export class AnchorsVerifier {
  /** Where chains have to have been: the hash of each record that was the last one of its chain. */
  readonly heads = new Map<string, Map<number, string>>();
  /** Chains that retention removes. */
  readonly ended = new Set<string>();
  readonly #deps: AnchorsVerifierDeps;
  readonly #report: Report;
  /** Anchors that were logged and not read yet, by position. */
  readonly #missing: Map<number, string>;
  /** Positions that are not there, up to those that are. */
  readonly #gaps: { readonly from: number; readonly to: number }[] = [];
  /** Anchors before this position are removed by retention, maybe while they are being read: as some anchor says. */
  #first = 1;
  #count = 0;
  #last: Anchor | undefined;

  /** @param known anchors that have to be there */
  constructor(deps: AnchorsVerifierDeps, known: readonly AnchorPosition[], report: Report) {
    this.#deps = deps;
    this.#report = report;
    this.#missing = new Map(known.map(({ sequence, hash }) => [sequence, hex(hash)]));
  }

  /** Reads the anchors after those that were read. */
  async read(signal: AbortSignal): Promise<void> {
    const { audit } = this.#deps;
    const begin = this.#last?.sequence ?? 0;
    for await (const anchor of pages((after) => audit.listAnchors(after, pageSize, signal), begin)) this.#add(anchor);
  }

  /** Reports what is missing, now that all are read. @returns their number, and the last one */
  end(): { readonly anchors: number; readonly head: AnchorPosition | null } {
    const last = this.#last;
    const first = this.#first;
    for (const { from, to } of this.#gaps) {
      const lacking = Math.max(from, first);
      if (lacking < to) this.#report({ fault: "removed", writer: null, sequence: lacking });
    }
    for (const [sequence] of this.#missing) {
      if (sequence > (last?.sequence ?? 0)) this.#report({ fault: "cut", writer: null, sequence });
    }
    const head = last === undefined ? null : { sequence: last.sequence, hash: last.hash };
    return { anchors: this.#count, head };
  }

  #add(anchor: Anchor): void {
    const { sequence, hash } = anchor;
    const expected = (this.#last?.sequence ?? 0) + 1;
    if (sequence !== expected) this.#gaps.push({ from: expected, to: sequence });
    const before = sequence === expected ? (this.#last?.hash ?? anchorsStart) : undefined;
    const isLogged = !this.#missing.has(sequence) || this.#missing.get(sequence) === hex(hash);
    this.#missing.delete(sequence);
    const isWritten = (before === undefined || isSame(anchorHash(before, anchor), hash)) && isLogged;
    const isTrusted = isWritten && isSigned(anchor, this.#deps.auditKeys);
    if (!isTrusted) this.#report({ fault: isWritten ? "unsigned" : "changed", writer: null, sequence });
    this.#count += 1;
    this.#last = anchor;
    // Without the hash before it, nobody can tell what an anchor's own hash was made of: of the oldest one nothing is
    // believed.
    if (before === undefined || !isTrusted) return;
    const { heads, ended, first = 1 } = anchorContent(anchor);
    for (const [writer, at, headHash] of heads) {
      const known = this.heads.get(writer) ?? new Map<number, string>();
      this.heads.set(writer, known);
      // A chain that was written anew may have been anchored once more: what was anchored first holds.
      if (!known.has(at)) known.set(at, headHash);
    }
    for (const writer of ended) this.ended.add(writer);
    this.#first = Math.max(this.#first, first);
  }
}

/** What a reading by position gives, page after page. @param begin the position that the first page comes after */
export async function* pages<T extends { readonly sequence: number }>(
  read: (after: number) => Promise<readonly T[]>,
  begin = 0,
): AsyncGenerator<T> {
  for (let after = begin; ; ) {
    const page = await read(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.sequence;
  }
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other);
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
