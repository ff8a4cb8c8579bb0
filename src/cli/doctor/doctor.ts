// pas doctor: whether the service can run here as it is configured, in words.
import type { CommandContext } from "../command.ts";
import { checkCertificates } from "./certificates.ts";
import { checkDatabase } from "./database.ts";
import { findingLines } from "./finding.ts";
import { checkPorts } from "./ports.ts";
import { checkSettings } from "./settings.ts";

/** Writes what was found, a line each. Throws if something keeps the service from serving. */
export async function examine(context: CommandContext, { processes }: { processes: number }): Promise<void> {
  const findings = [
    ...(await checkDatabase(context, processes)),
    ...(await checkPorts(context.config)),
    ...(await checkCertificates(context.config, Date.now())),
    ...checkSettings(context.config),
  ];
  context.write(findingLines(findings));
  const failed = findings.filter(({ state }) => state === "fail").length;
  if (failed > 0) throw new Error(`${failed} of ${findings.length} checks failed`);
}
