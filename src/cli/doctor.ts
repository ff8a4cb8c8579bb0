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

interface Finding {
  /** `warn`: it works now, and needs attention. `fail`: the service cannot serve. */
  readonly state: "ok" | "warn" | "fail";
  /** The part that was checked. */
  readonly subject: string;
  /** The finding, and what to do about it, in one sentence. */
  readonly message: string;
}

const ok = (subject: string, message: string): Finding => ({ state: "ok", subject, message });
const warn = (subject: string, message: string): Finding => ({ state: "warn", subject, message });
const fail = (subject: string, message: string): Finding => ({ state: "fail", subject, message });

const databaseTimeoutMs = 30_000;
const serviceTimeoutMs = 3_000;
const selectVersion = sql`SELECT @@version AS version`;

/** Writes the findings, one a line. Throws if one of them prevents the service from serving. @param role to be started here */
export async function checkInstallation(
  context: CommandContext,
  { role = "all" }: { readonly role?: Role },
): Promise<void> {
  const { config } = context;
  const findings = [
    ...(role === "gateway" ? [] : await checkDatabase(context)),
    await checkService(config),
    ...checkSettings(config, role),
  ];
  for (const { state, subject, message } of findings) {
    context.write(`${state.padEnd(5)} ${subject.padEnd(8)}  ${message}\n`);
  }
  const failureCount = findings.filter(({ state }) => state === "fail").length;
  if (failureCount > 0) throw new Error(`${failureCount} of ${findings.length} checks failed`);
}

/** Checks the database and its schema, over connections like those of the service. */
async function checkDatabase(context: CommandContext): Promise<Finding[]> {
  const failures: string[] = [];
  try {
    await using resources = new AsyncDisposableStack();
    const { address, isEmbedded, release } = await provideDatabase(context);
    resources.defer(release);
    const { db } = resources.use(await openCommandDatabase((failure) => failures.push(failure), address));
    const signal = AbortSignal.timeout(databaseTimeoutMs);
    const [row] = await db.findAll(selectVersion, {}, signal);
    const missingCount = (await listPendingMigrations(db, signal)).length;
    return [
      checkAddress(address.url, String(row?.version)),
      // The next `pas serve` brings an embedded one up to date.
      missingCount === 0 || isEmbedded
        ? ok("schema", "up to date")
        : fail("schema", `${missingCount} migrations are missing; run \`pas migrate\``),
    ];
  } catch (error) {
    // What the connections have reported is the cause of an error.
    return [fail("database", failures[0] ?? describeError(error).join("; "))];
  }
}

function checkAddress(url: string, version: string): Finding {
  const about = "database";
  const { socketPath, tls } = readDatabaseUrl(url);
  if (tls !== undefined || socketPath !== undefined || isThisMachine(url)) return ok(about, `it answers: ${version}`);
  return warn(about, `it answers in cleartext: ${version}; encrypt the way with ?ssl-mode=VERIFY_IDENTITY`);
}

/** Asks what answers at the HTTP port whether it is ready. */
async function checkService({ HOST: host, HTTP_PORT: port }: Config): Promise<Finding> {
  const about = "service";
  const place = `${host}:${port}`;
  try {
    const response = await fetch(`${formatUrl(host, port)}/readyz`, { signal: AbortSignal.timeout(serviceTimeoutMs) });
    const { status, detail } = (await response.json()) as { status?: unknown; detail?: unknown };
    if (status === "ready") return ok(about, `it runs at ${place}, and is ready`);
    if (typeof detail === "string") return fail(about, `it runs at ${place}, and is not ready: ${detail}`);
  } catch (error) {
    const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
    if (cause?.code === "ECONNREFUSED") return ok(about, `nothing runs at ${place} yet`);
  }
  return fail(about, `what runs at ${place} does not answer as the service; stop it, or correct HOST and HTTP_PORT`);
}

/** Checks what a process of the role cannot start without, and what it should have. The embedded server needs none of it. */
function checkSettings(config: Config, role: Role): Finding[] {
  const fault = findRoleFault(role, config);
  if (fault !== undefined) return [fail("settings", fault)];
  const { WEBHOOK_KEY: webhookKeys, AUDIT_KEY: auditKeys, PUBLIC_URL: url, DATABASE_URL: databaseUrl } = config;
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
  const needsNone = role === "deliver" || (role !== "gateway" && databaseUrl === undefined);
  return needsNone || warnings.length === 0
    ? [ok("settings", "nothing is missing")]
    : warnings.map((words) => warn("settings", words));
}

/** Whether what is sent to the host of a URL stays on this machine. */
function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
