// Commands for what the database holds.
import type { Command } from "@commander-js/extra-typings";
import type { OpenContext } from "../command.ts";

/** Declares `pas keys …` and `pas sessions …`. */
export function addUpkeepCommands(pas: Command, open: OpenContext): void {
  const keys = pas.command("keys").description("keys that completion tokens of hosted sessions are signed with");
  keys
    .command("rotate")
    .description("make a new signing key: published now, signing in an hour")
    .option("--revoke", "sign with it now, and remove all others")
    .action(async (options) => (await import("../keys.ts")).rotateKey(open(), options));

  const sessions = pas.command("sessions").description("stored sessions");
  sessions
    .command("rescore")
    .description("score the completed sessions whose scoring failed")
    .action(async () => (await import("../sessions.ts")).rescore(open()));
}
