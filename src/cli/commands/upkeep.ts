// Commands for what the database holds.
import type { Command } from "@commander-js/extra-typings";
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
    .action(async () => (await import("../upkeep.ts")).printNorms(open()));
}
