// pas doctor: whether the service can run here with this configuration, and whether one that runs is ready: what the database,
// the migrator, `/readyz` and the settings say.

import type { Config } from "../config.ts";
import { readDatabaseUrl } from "../database/database-url.ts";
import { listPendingMigrations } from "../database/migrate.ts";
import { sql } from "../database/statement.ts";
import { formatUrl } from "../transport/http/server.ts";
import type { CommandContext } from "./command.ts";
import { openCommandDatabase, provideDatabase } from "./database.ts";
import { describeError } from "./faults.ts";
import { findRoleFault, type Role } from "./serving/role.ts";

/**
 * Writes a finding.
 * @param state `warn`: it works now, and needs attention. `fail`: the service cannot serve
 * @param subject the part that was checked
 * @param message the finding, and what to do about it, in one sentence
 */
type Report = (state: "ok" | "warn" | "fail", subject: string, message: string) => void;

const databaseTimeoutMs = 30_000;
const serviceTimeoutMs = 3_000;
const selectVersion = sql`SELECT @@version AS version`;

/** Writes the findings, one a line. Throws if one of them prevents the service from serving. @param role to be started here */
export async function checkInstallation(context: CommandContext, { role }: { readonly role: Role }): Promise<void> {
  let [findingCount, failureCount] = [0, 0];
  const report: Report = (state, subject, message) => {
    findingCount += 1;
    if (state === "fail") failureCount += 1;
    context.write(`${state.padEnd(5)} ${subject.padEnd(8)}  ${message}\n`);
  };
  if (role !== "gateway") await checkDatabase(context, report);
  await checkService(context.config, report);
  checkSettings(context.config, role, report);
  if (failureCount > 0) throw new Error(`${failureCount} of ${findingCount} checks failed`);
}

/** Checks the database and its schema, over connections like those of the service. */
async function checkDatabase(context: CommandContext, report: Report): Promise<void> {
  const failures: string[] = [];
  try {
    await using database = await provideDatabase(context);
    const { address, isEmbedded } = database;
    await using shards = await openCommandDatabase((failure) => failures.push(failure), address);
    const { db } = shards;
    const signal = AbortSignal.timeout(databaseTimeoutMs);
    const [row] = await db.findAll(selectVersion, {}, signal);
    const missingCount = (await listPendingMigrations(db, signal)).length;
    const { socketPath, tls } = readDatabaseUrl(address.url);
    if (tls !== undefined || socketPath !== undefined || isThisMachine(address.url)) {
      report("ok", "database", `it answers: ${row?.version}`);
    } else {
      const remedy = "encrypt the way with ?ssl-mode=VERIFY_IDENTITY";
      report("warn", "database", `it answers in cleartext: ${row?.version}; ${remedy}`);
    }
    // The next `pas serve` brings an embedded one up to date.
    if (missingCount === 0 || isEmbedded) report("ok", "schema", "up to date");
    else report("fail", "schema", `${missingCount} migrations are missing; run \`pas migrate\``);
  } catch (error) {
    // The first report of the connections is the cause of an error.
    report("fail", "database", failures[0] ?? describeError(error).join("; "));
  }
}

/** Asks what answers at the HTTP port whether it is ready. */
async function checkService({ HOST: host, HTTP_PORT: port }: Config, report: Report): Promise<void> {
  const place = `${host}:${port}`;
  try {
    const response = await fetch(`${formatUrl(host, port)}/readyz`, { signal: AbortSignal.timeout(serviceTimeoutMs) });
    const { status, detail } = (await response.json()) as { status?: unknown; detail?: unknown };
    if (status === "ready") return report("ok", "service", `it runs at ${place}, and is ready`);
    if (typeof detail === "string") {
      return report("fail", "service", `it runs at ${place}, and is not ready: ${detail}`);
    }
  } catch (error) {
    const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
    if (cause?.code === "ECONNREFUSED") return report("ok", "service", `nothing runs at ${place} yet`);
  }
  const remedy = "stop it, or correct HOST and HTTP_PORT";
  report("fail", "service", `what runs at ${place} does not answer as the service; ${remedy}`);
}

/** Checks what a process of the role cannot start without, and what it should have. The embedded server needs none of it. */
function checkSettings(config: Config, role: Role, report: Report): void {
  const fault = findRoleFault(role, config);
  const warnings = fault !== undefined || role === "deliver" ? [] : listWarnings(config, role);
  if (fault !== undefined) report("fail", "settings", fault);
  else if (warnings.length === 0) report("ok", "settings", "nothing is missing");
  for (const warning of warnings) report("warn", "settings", warning);
}

function listWarnings(config: Config, role: Role): string[] {
  const { WEBHOOK_KEY: webhookKeys, AUDIT_KEY: auditKeys, PUBLIC_URL: url, DATABASE_URL: databaseUrl } = config;
  if (role !== "gateway" && databaseUrl === undefined) return [];
  const warnings: string[] = [];
  if (role !== "gateway" && webhookKeys === undefined) {
    warnings.push("WEBHOOK_KEY is not set: partners can make no webhooks; `openssl rand -base64 32` makes one");
  }
  if (role !== "gateway" && auditKeys === undefined) {
    warnings.push("AUDIT_KEY is not set: anchors of the audit log are not signed; `openssl rand -base64 32` makes one");
  }
  if (url === undefined) {
    warnings.push("PUBLIC_URL is not set: links lead to this process, or there are none; set it to what callers use");
  } else if (!url.startsWith("https:") && !isThisMachine(url)) {
    warnings.push(
      `${url}: tokens, links and answers travel in cleartext; put TLS before the HTTP port, and write https`,
    );
  }
  return warnings;
}

/** Whether what is sent to the host of a URL stays on this machine. */
function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
