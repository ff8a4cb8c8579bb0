// pas norms …: looking after norms.
import { rebuildNorms } from "../domain/norms/rebuild.ts";
import type { CommandContext } from "./command.ts";
import { withDomain } from "./database.ts";

/** Recomputes the sums behind norms from stored answers. */
export async function rebuild(context: CommandContext): Promise<void> {
  context.print(await withDomain(context, rebuildNorms));
}
