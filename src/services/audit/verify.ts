// Verifies that the audit log is unchanged: every record is in its place with the content that was written.

import { timingSafeEqual } from "node:crypto";
import { type Anchor, type AuditRecord, computeChainStart, computeRecordHash } from "../../domain/audit/trail.ts";
import { computeFirstId } from "../../domain/identifiers.ts";
import type { AuditStore } from "../../store/audit/audit-store.ts";
import { readAllRows } from "../all-rows.ts";
import {
  type AnchorDeps,
  type AnchorPosition,
  anchorsStart,
  computeAnchorHash,
  computeSignature,
  computeVerifiedFrom,
  listChainHeads,
  parseAnchorContent,
  toHex,
} from "./anchors.ts";

/** Records or anchors read by one statement. */
const pageSize = 1_000;

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

type VerificationDeps = Pick<AnchorDeps, "audit" | "auditKeys" | "clock">;

type ReportFault = (fault: AuditFault) => void;

/**
 * Reads the log as far back as it is kept.
 * @param retentionDays for which records are kept; what is older may be missing
 * @param expectedAnchors anchors that the service has logged: they must exist
 * @param report called for every fault
 * @returns how many there are of everything, and the last anchor; null if there is none
 */
export async function verifyAudit(
  deps: VerificationDeps,
  retentionDays: number,
  expectedAnchors: readonly AnchorPosition[],
  report: ReportFault,
  signal: AbortSignal,
) {
  let faults = 0;
  const countAndReport: ReportFault = (fault) => {
    faults += 1;
    report(fault);
  };
  const since = computeVerifiedFrom(deps.clock(), retentionDays);
  const { heads, ...anchors } = await verifyAnchors(deps, since, expectedAnchors, countAndReport, signal);
  const firstWriter = computeFirstId(since);
  const writers = new Set([...heads.keys()].filter((writer) => writer >= firstWriter));
  for await (const { writer } of listChainHeads(deps.audit, firstWriter, signal)) writers.add(writer);
  let records = 0;
  for (const writer of writers)
    records += await verifyChain(deps.audit, writer, heads.get(writer), countAndReport, signal);
  return { records, chains: writers.size, ...anchors, faults };
}

async function verifyChain(
  audit: AuditStore,
  writer: string,
  heads: ReadonlyMap<number, string> = new Map(),
  report: ReportFault,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  let previousHash: Uint8Array | undefined = computeChainStart(writer);
  let last = 0;
  const read = (after?: AuditRecord) => audit.listChain(writer, after?.sequence ?? 0, pageSize, signal);
  for await (const record of readAllRows(pageSize, read)) {
    const { sequence, hash } = record;
    count += 1;
    if (sequence !== last + 1) {
      report({ fault: "removed", writer, sequence: last + 1 });
      previousHash = undefined;
    }
    const isUnchanged = previousHash === undefined || Buffer.from(computeRecordHash(previousHash, record)).equals(hash);
    const anchoredHead = heads.get(sequence);
    if (!isUnchanged || (anchoredHead !== undefined && anchoredHead !== toHex(hash)))
      report({ fault: "changed", writer, sequence });
    previousHash = hash;
    last = sequence;
  }
  if ([...heads.keys()].some((sequence) => last < sequence)) report({ fault: "cut", writer, sequence: last + 1 });
  return count;
}

/** Verifies the anchors. @returns also the records that must exist: of each chain, the hashes of its anchored records */
async function verifyAnchors(
  { audit, auditKeys }: VerificationDeps,
  since: number,
  expectedAnchors: readonly AnchorPosition[],
  report: ReportFault,
  signal: AbortSignal,
) {
  const heads = new Map<string, Map<number, string>>();
  /** Anchors that were logged and not read yet, by position. */
  const missing = new Map(expectedAnchors.map(({ sequence, hash }) => [sequence, toHex(hash)]));
  /** The first position that is missing since the last anchor that can be trusted. */
  let gap: number | undefined;
  let last: Anchor | undefined;
  let count = 0;
  const reportGap = () => {
    if (gap !== undefined) report({ fault: "removed", writer: null, sequence: gap });
  };
  const read = (previous?: Anchor) => audit.listAnchors(previous?.sequence ?? 0, pageSize, signal);
  for await (const anchor of readAllRows(pageSize, read)) {
    const { sequence, hash } = anchor;
    const expectedSequence: number = (last?.sequence ?? 0) + 1;
    const follows = sequence === expectedSequence;
    if (!follows) gap ??= expectedSequence;
    const isLogged = (missing.get(sequence) ?? toHex(hash)) === toHex(hash);
    missing.delete(sequence);
    const isRewritten = follows && toHex(computeAnchorHash(last?.hash ?? anchorsStart, anchor)) !== toHex(hash);
    const ownFault = isSigned(anchor, auditKeys) ? undefined : "unsigned";
    const fault = isRewritten || !isLogged ? "changed" : ownFault;
    if (fault !== undefined) report({ fault, writer: null, sequence });
    count += 1;
    last = anchor;
    // Without the anchor before it, its hash cannot be verified, and its content is not trusted.
    if (fault !== undefined || !follows) continue;
    // The time of an anchor can be trusted if it follows the one before it.
    if (anchor.at.getTime() >= since) reportGap();
    gap = undefined;
    for (const [writer, at, headHash] of parseAnchorContent(anchor).heads) {
      const headHashes = heads.get(writer) ?? new Map<number, string>();
      heads.set(writer, headHashes);
      // A rewritten chain may have been anchored again: the first anchor counts.
      if (!headHashes.has(at)) headHashes.set(at, headHash);
    }
  }
  reportGap();
  for (const [sequence] of missing) {
    if (sequence > (last?.sequence ?? 0)) report({ fault: "cut", writer: null, sequence });
  }
  return { heads, anchors: count, head: last === undefined ? null : { sequence: last.sequence, hash: last.hash } };
}

/** Whether one of the keys has signed the anchor. Without keys it cannot be checked, and counts as signed. */
function isSigned({ hash, signature }: Anchor, keys: readonly Uint8Array[]): boolean {
  if (keys.length === 0 || signature === null) return keys.length === 0;
  const own = keys.map((key) => computeSignature(key, hash)).find(({ keyId }) => keyId.equals(signature.keyId));
  return own !== undefined && timingSafeEqual(own.mac, signature.mac);
}
