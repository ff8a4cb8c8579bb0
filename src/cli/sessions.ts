// pas sessions …: looking after stored sessions.
import { rescoreSessions } from "../domain/sessions/sessions.ts";
import { type Command, readArguments } from "./command.ts";
import { commandDeadline, withDomain } from "./database.ts";

export const sessionsRescore: Command = {
  usage: "",
  about: "score the completed sessions whose scoring failed",
  async run(context) {
    readArguments(context.args, {});
    context.print(await withDomain(context, (domain) => rescoreSessions(domain, commandDeadline)));
  },
};
