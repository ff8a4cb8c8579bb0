// Commands for the audit log.
import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import type { OpenContext } from "../command.ts";
import { time, uuid } from "./values.ts";

/** Declares `pas audit …`. */
export function addAuditCommands(pas: Command, open: OpenContext): void {
  const audit = pas.command("audit").description("who read results and who changed what");
  const commands = () => import("../audit.ts");
  audit
    .command("verify")
    .description("read the whole log, and find records that were changed, removed or cut off")
    .option("--head <anchor...>", "anchors that the service has logged, which have to be there", anchor)
    .action(async (options) => (await commands()).verifyLog(open(), options));
  audit
    .command("export")
    .description("print the records about a partner, one a line, the newest first")
    .requiredOption("--partner <id>", "whose data or account it is about", uuid)
    .option("--from <time>", "only records of this time or later", time)
    .option("--until <time>", "only records before this time", time)
    .action(async (options) => (await commands()).exportLog(open(), options));
}

function anchor(text: string, others: string[] = []): string[] {
  if (/^[1-9]\d{0,14}:[0-9a-f]{64}$/.test(text)) return [...others, text];
  throw new InvalidArgumentError("It must be an anchor as it is logged: a number, a colon and 64 hexadecimal digits.");
}
