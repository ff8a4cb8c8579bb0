// Commands for the audit log, and for what the database holds.
import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { AuditService } from "../../gen/assessment/v1/audit_service_pb.ts";
import { NormService } from "../../gen/assessment/v1/norm_service_pb.ts";
import type { OpenContext } from "../command.ts";
import { addRpcCommands, type Comments } from "../rpc-commands.ts";

/** Declares `pas clock …`, `pas keys …` and `pas norms …`. */
export function addUpkeepCommands(pas: Command, open: OpenContext, comments: Comments): void {
  const clock = pas.command("clock").description("whether the clock of the database is right");
  clock
    .command("show")
    .description("prints the time of the database and of this host, and when an operator last said that it is right")
    .action(async () => (await import("../upkeep.ts")).showClock(open()));
  clock
    .command("accept")
    .description("says that the database's clock is right after a step; what is over is removed again")
    .action(async () => (await import("../upkeep.ts")).acceptClock(open()));

  const keys = pas.command("keys").description("keys that completion tokens of hosted sessions are signed with");
  keys
    .command("rotate")
    .description("makes a new signing key: published now, signing in an hour")
    .option("--revoke", "sign with it now, and remove all others")
    .action(async (options) => (await import("../upkeep.ts")).rotateKey(open(), options));

  const norms = pas.command("norms").description("how many people answer, for norms");
  addRpcCommands(pas, open, comments, [
    {
      name: "norms show",
      about: "prints the norms of a partner's own people and of all partners",
      rpc: NormService.method.getNorms,
      takes: "language assessment-version=version form",
      missing: "there is no such product or version; `pas assessment list` shows those that there are",
    },
  ]);
  norms
    .command("compute")
    .description("computes the norms of all partners now, as each night")
    .action(async () => (await import("../upkeep.ts")).computeNormsNow(open()));
}

/** Declares `pas audit …`. */
export function addAuditCommands(pas: Command, open: OpenContext, comments: Comments): void {
  const audit = pas.command("audit").description("who read results and who changed what");
  audit
    .command("verify")
    .description("reads the whole log, and finds records that were changed, removed or cut off")
    .option("--head <anchor...>", "anchors that the service has logged, which have to be there", anchor)
    .action(async (options) => (await import("../upkeep.ts")).verifyLog(open(), options));
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
