// pas audit verify: checks that the audit log is unchanged.
import type { AnchorPosition } from "../services/audit/anchors.ts";
import { verifyAudit } from "../services/audit/verify.ts";
import type { CommandContext } from "./command.ts";
import { untilDone, withDomain } from "./database.ts";

/**
 * Reads the whole log, prints every fault and then a summary. Throws if there is a fault.
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

function anchorText({ sequence, hash }: AnchorPosition): string {
  return `${sequence}:${Buffer.from(hash).toString("hex")}`;
}

function anchorOf(text: string): AnchorPosition {
  const [sequence = "", hash = ""] = text.split(":");
  return { sequence: Number(sequence), hash: Buffer.from(hash, "hex") };
}
