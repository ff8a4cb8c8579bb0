// pas norms …: looking after norms.
import { rebuildNorms } from "../domain/norms/rebuild.ts";
import { type Command, readArguments } from "./command.ts";
import { withDomain } from "./database.ts";

export const normsRebuild: Command = {
  usage: "",
  about: "recompute the sums behind norms from stored answers; changed: how many were others, 0 if all is well",
  async run(context) {
    readArguments(context.args, {});
    context.print(await withDomain(context, rebuildNorms));
  },
};
