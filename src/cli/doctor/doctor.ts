// pas doctor: reports whether the service can run here with this configuration.
import type { CommandContext } from "../command.ts";
import type { Role } from "../serving/serve.ts";
import { checkDatabase } from "./check-database.ts";
import { checkCore } from "./core.ts";
import { findingLines } from "./finding.ts";
import { checkPorts } from "./ports.ts";
import { checkCertificates, checkNames, checkSettings } from "./settings.ts";

export interface DoctorOptions {
  /** Processes of the service, on all machines together. */
  readonly processes: number;
  /** The role of the process to be started here. */
  readonly role: Role;
  /** Address of the core, for a gateway. */
  readonly core?: string;
}

/** Writes the findings, one a line. Throws if one of them prevents the service from serving. */
export async function examine(context: CommandContext, { processes, role, core }: DoctorOptions): Promise<void> {
  const hasGrpcPort = role === "all" || role === "core";
  const allFindings = [
    ...(role === "gateway" ? await checkCore(context.config, core) : await checkDatabase(context, processes)),
    ...(await checkPorts(context.config)),
    ...(await checkCertificates(context.config, Date.now())),
    ...checkSettings(context.config, role),
    ...checkNames(context.config),
  ];
  const findings = allFindings.filter(({ about }) => hasGrpcPort || !about.startsWith("gRPC"));
  context.write(findingLines(findings));
  const failed = findings.filter(({ state }) => state === "fail").length;
  if (failed > 0) throw new Error(`${failed} of ${findings.length} checks failed`);
}
