// pas keys …: the keys that completion tokens of hosted sessions are signed with.
import { recordAct } from "../../domain/audit/acts.ts";
import { rotateSigningKey } from "../../services/hosted/completion-signing.ts";
import type { CommandContext } from "../command.ts";
import { withDomain } from "../database.ts";

/** Makes a new signing key. Throws if the keys are configured. @param options revoke: it signs now, and all others go */
export async function rotateKey(context: CommandContext, options: { revoke?: true }): Promise<void> {
  if (context.config.SIGNING_KEY !== undefined) {
    throw new Error("the keys are those of SIGNING_KEY; put the new one in front of it");
  }
  context.print(
    await withDomain(context, (domain, deadline) =>
      recordAct(domain, { action: "signing_key.rotate" }, () =>
        rotateSigningKey(domain, options.revoke ?? false, deadline),
      ),
    ),
  );
}
