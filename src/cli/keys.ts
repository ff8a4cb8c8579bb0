// pas keys …: the keys that completion tokens of hosted sessions are signed with.
import { rotateSigningKey } from "../domain/hosted/completion-signing.ts";
import { type Command, readArguments } from "./command.ts";
import { withDomain } from "./database.ts";

export const keysRotate: Command = {
  usage: "[--revoke]",
  about: "make a new signing key: published now, signing in an hour; --revoke: signing now, and all others removed",
  async run(context) {
    const { options } = readArguments(context.args, { revoke: "boolean" });
    if (context.config.SIGNING_KEY !== undefined) {
      throw new Error("the keys are those of SIGNING_KEY; put the new one in front of it");
    }
    context.print(
      await withDomain(context, (domain, deadline) => rotateSigningKey(domain, options.revoke ?? false, deadline)),
    );
  },
};
