// Finds out whether the audit log is what was written: every record in its place, and nothing another.

import type { AnchorPosition } from "./anchors.ts";
import type { AuditStore } from "./audit-port.ts";
import { beforeAllChains, chainHeads } from "./chains.ts";
import { chainStart, recordHash } from "./record.ts";
import { AnchorsVerifier, type AuditFault, hex, isSame, pageSize, pages, type Report } from "./verify-anchors.ts";

export interface Verification {
  readonly records: number;
  readonly chains: number;
  readonly anchors: number;
  /** The last anchor; null if there is none. */
  readonly head: AnchorPosition | null;
  readonly faults: number;
}

export interface VerifyDeps {
  readonly audit: AuditStore;
  /** The keys that anchors may be signed with; none: signatures are not looked at. */
  readonly auditKeys: readonly Uint8Array[];
}

/**
 * Reads the whole log.
 * @param known anchors that the service has logged: they have to be there
 * @param report notified of every fault
 */
export async function verifyAudit(
  { audit, auditKeys }: VerifyDeps,
  known: readonly AnchorPosition[],
  report: Report,
  signal: AbortSignal,
): Promise<Verification> {
  let faults = 0;
  const count: Report = (fault) => {
    faults += 1;
    report(fault);
  };
  const anchors = new AnchorsVerifier({ audit, auditKeys }, known, count);
  await anchors.read(signal);
  const writers = new Set(anchors.heads.keys());
  for await (const { writer } of chainHeads(audit, beforeAllChains, signal)) writers.add(writer);
  let records = 0;
  let chains = 0;
  for (const writer of writers) {
    if (anchors.ended.has(writer)) continue;
    const found: AuditFault[] = [];
    const read = await verifyChain(audit, writer, anchors.heads.get(writer), (fault) => found.push(fault), signal);
    // Retention may have removed it since the anchors were read, and says so in one that came before it did.
    if (found.length > 0) await anchors.read(signal);
    if (anchors.ended.has(writer)) continue;
    found.forEach(count);
    chains += 1;
    records += read;
  }
  const { anchors: read, head } = anchors.end();
  return { records, chains, anchors: read, head, faults };
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
  for await (const record of pages((after) => audit.listChain(writer, after, pageSize, signal))) {
    const { sequence, hash } = record;
    count += 1;
    if (sequence !== last + 1) {
      report({ fault: "removed", writer, sequence: last + 1 });
      before = undefined;
    }
    const isWritten = before === undefined || isSame(recordHash(before, record), hash);
    const anchored = heads.get(sequence);
    const isAnchored = anchored === undefined || anchored === hex(hash);
    if (!isWritten || !isAnchored) report({ fault: "changed", writer, sequence });
    before = hash;
    last = sequence;
  }
  if ([...heads.keys()].some((sequence) => last < sequence)) report({ fault: "cut", writer, sequence: last + 1 });
  return count;
}
