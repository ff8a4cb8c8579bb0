// pas doctor: reports whether the service can run here with this configuration, and whether one that runs is ready.
import type { Config } from "../../config.ts";
import { urlAt } from "../../transport/http/server.ts";
import type { CommandContext } from "../command.ts";
import type { Role } from "../serving/serve.ts";
import { checkDatabase } from "./database.ts";
import { checkNames, checkSettings, type Finding, fail, findingLines, ok } from "./findings.ts";

export interface DoctorOptions {
  /** The role of the process to be started here. */
  readonly role: Role;
}

/** Writes the findings, one a line. Throws if one of them prevents the service from serving. */
export async function examine({ config, ...context }: CommandContext, { role }: DoctorOptions): Promise<void> {
  const findings = [
    ...(role === "gateway" ? [] : await checkDatabase({ config, ...context })),
    await checkService(config),
    ...checkSettings(config, role),
    ...checkNames(config),
  ];
  context.write(findingLines(findings));
  const failed = findings.filter(({ state }) => state === "fail").length;
  if (failed > 0) throw new Error(`${failed} of ${findings.length} checks failed`);
}

const timeoutMs = 3_000;

/** Asks what answers at the HTTP port whether it is ready. */
async function checkService({ HOST: host, HTTP_PORT: port }: Config): Promise<Finding> {
  const about = "service";
  const place = `${host}:${port}`;
  try {
    const response = await fetch(`${urlAt(host, port)}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    const { status, detail } = (await response.json()) as { status?: unknown; detail?: unknown };
    if (status === "ready") return ok(about, `it runs at ${place}, and is ready`);
    if (typeof detail === "string") return fail(about, `it runs at ${place}, and is not ready: ${detail}`);
  } catch (error) {
    const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
    if (cause?.code === "ECONNREFUSED") return ok(about, `nothing runs at ${place} yet`);
  }
  return fail(about, `what runs at ${place} does not answer as the service; stop it, or correct HOST and HTTP_PORT`);
}
