// pas audit …: the audit log, checked and printed.
import type { AnchorPosition } from "../domain/audit/anchors.ts";
import { listAuditRecords } from "../domain/audit/listing.ts";
import { verifyAudit } from "../domain/audit/verify.ts";
import type { CommandContext } from "./command.ts";
import { commandDeadline, untilDone, withDomain } from "./database.ts";

const pageSize = 500;

/**
 * Reads the whole log, prints every fault and then what there is. Throws if there is a fault.
 * @param heads logged ones
 */
export async function verifyLog(context: CommandContext, { head: heads = [] }: { head?: string[] }): Promise<void> {
  const known = heads.map(anchorOf);
  const auditKeys = context.config.AUDIT_KEY ?? [];
  const verified = await withDomain(context, ({ audit }) =>
    verifyAudit({ audit, auditKeys }, known, (fault) => context.print(fault), untilDone()),
  );
  const { head, ...counts } = verified;
  context.print({ ...counts, head: head === null ? null : anchorText(head), signed: auditKeys.length > 0 });
  if (verified.faults > 0) throw new Error("the audit log is not what was written");
}

export interface ExportOptions {
  /** Id of the partner that the records are about. */
  readonly partner: string;
  readonly from?: Date;
  readonly until?: Date;
}

/** Prints the records about a partner, one a line, the newest first. */
export function exportLog(context: CommandContext, { partner, from, until }: ExportOptions): Promise<void> {
  return withDomain(context, async (domain) => {
    const range = { pageSize, from, until, sessionId: undefined };
    for (let after = ""; ; ) {
      const { records, next } = await listAuditRecords(domain, partner, { ...range, after }, commandDeadline());
      for (const { hash, ...record } of records) {
        context.print({ ...record, hash: Buffer.from(hash).toString("hex") });
      }
      if (next === "") return;
      after = next;
    }
  });
}

function anchorText({ sequence, hash }: AnchorPosition): string {
  return `${sequence}:${Buffer.from(hash).toString("hex")}`;
}

function anchorOf(text: string): AnchorPosition {
  const [sequence = "", hash = ""] = text.split(":");
  return { sequence: Number(sequence), hash: Buffer.from(hash, "hex") };
}
