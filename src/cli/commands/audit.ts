// Commands for the audit log.
import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { AuditService } from "../../gen/assessment/v1/audit_service_pb.ts";
import type { OpenContext } from "../command.ts";
import { addRpcCommands, type Comments } from "../rpc-commands.ts";

/** Declares `pas audit …`. */
export function addAuditCommands(pas: Command, open: OpenContext, comments: Comments): void {
  const audit = pas.command("audit").description("who read results and who changed what");
  audit
    .command("verify")
    .description("reads the whole log, and finds records that were changed, removed or cut off")
    .option("--head <anchor...>", "anchors that the service has logged, which have to be there", anchor)
    .action(async (options) => (await import("../audit.ts")).verifyLog(open(), options));
  addRpcCommands(pas, open, comments, [
    {
      name: "audit export",
      about: "prints the records about a partner, one a line, the newest first",
      rpc: AuditService.method.listAuditRecords,
      takes: "from until",
      shape: (record, { partner }) => ({ partnerId: partner, ...record }),
    },
  ]);
}

function anchor(text: string, others: string[] = []): string[] {
  if (/^[1-9]\d{0,14}:[0-9a-f]{64}$/.test(text)) return [...others, text];
  throw new InvalidArgumentError("It must be an anchor as it is logged: a number, a colon and 64 hexadecimal digits.");
}
