// pas sessions …: looking after stored sessions.
import { rescoreSessions } from "../domain/sessions/sessions.ts";
import type { CommandContext } from "./command.ts";
import { commandDeadline, withDomain } from "./database.ts";

/** Scores the completed sessions whose scoring failed. */
export async function rescore(context: CommandContext): Promise<void> {
  context.print(await withDomain(context, (domain) => rescoreSessions(domain, commandDeadline)));
}
