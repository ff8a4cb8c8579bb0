// Commands for what the database holds.
import type { Command } from "@commander-js/extra-typings";
import type { OpenContext } from "../command.ts";

/** Declares `pas keys …`, `pas sessions …` and `pas norms …`. */
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

  const norms = pas.command("norms").description("how many people answer, for norms");
  norms
    .command("rebuild")
    .description("recompute the sums behind norms from stored answers; changed: how many were others, 0 if all is well")
    .action(async () => (await import("../norms.ts")).rebuild(open()));
}
