// pas doctor: reports whether the service can run here with this configuration, and whether one that runs is ready.
import { type Config, variables } from "../config.ts";
import { readDatabaseUrl } from "../database/database-url.ts";
import { pendingMigrations } from "../database/migrate.ts";
import { fetchRows } from "../database/statement.ts";
import { suggestName } from "../json/name-suggestions.ts";
import { urlAt } from "../transport/http/server.ts";
import type { CommandContext } from "./command.ts";
import { openCommandDatabase, provideDatabase } from "./database.ts";
import { describeError } from "./faults.ts";
import { findRoleFault, type Role } from "./serving/role.ts";

interface Finding {
  /** `warn`: it works now, but somebody should look at it. `fail`: the service cannot serve. */
  readonly state: "ok" | "warn" | "fail";
  /** The part that was checked, in a word or two. */
  readonly about: string;
  /** The finding, and what to do about it, in one sentence. */
  readonly words: string;
}

const ok = (about: string, words: string): Finding => ({ state: "ok", about, words });
const warn = (about: string, words: string): Finding => ({ state: "warn", about, words });
const fail = (about: string, words: string): Finding => ({ state: "fail", about, words });

const databaseTimeoutMs = 30_000;
const serviceTimeoutMs = 3_000;
const selectVersion = { sql: "SELECT @@version AS version", names: [] };

/** Writes the findings, one a line. Throws if one of them prevents the service from serving. @param role to be started here */
export async function examine(context: CommandContext, { role }: { readonly role: Role }): Promise<void> {
  const { config } = context;
  const findings = [
    ...(role === "gateway" ? [] : await checkDatabase(context)),
    await checkService(config),
    ...checkSettings(config, role),
    ...checkNames(config),
  ];
  const width = Math.max(...findings.map(({ about }) => about.length));
  for (const { state, about, words } of findings) {
    context.write(`${state.padEnd(5)} ${about.padEnd(width)}  ${words}\n`);
  }
  const failureCount = findings.filter(({ state }) => state === "fail").length;
  if (failureCount > 0) throw new Error(`${failureCount} of ${findings.length} checks failed`);
}

/** Checks the database and its schema, over connections like those of the service. */
async function checkDatabase(context: CommandContext): Promise<Finding[]> {
  const troubles: string[] = [];
  try {
    await using resources = new AsyncDisposableStack();
    const { address, isEmbedded, release } = await provideDatabase(context);
    resources.defer(release);
    const { db } = resources.use(await openCommandDatabase((trouble) => troubles.push(trouble), address));
    const signal = AbortSignal.timeout(databaseTimeoutMs);
    const [row] = await fetchRows(db, selectVersion, {}, signal);
    return [
      addressFinding(address.url, String(row?.version)),
      schemaFinding(await pendingMigrations(db, signal), isEmbedded),
    ];
  } catch (error) {
    // What the connections have reported is the cause of an error.
    return [fail("database", troubles[0] ?? describeError(error).join("; "))];
  }
}

function addressFinding(url: string, version: string): Finding {
  const about = "database";
  const { socketPath, tls } = readDatabaseUrl(url);
  if (tls !== undefined || socketPath !== undefined || isThisMachine(url)) return ok(about, `it answers: ${version}`);
  return warn(about, `it answers in cleartext: ${version}; encrypt the way with ?ssl-mode=VERIFY_IDENTITY`);
}

function schemaFinding(pending: readonly string[], isEmbedded: boolean): Finding {
  if (pending.length === 0) return ok("schema", "up to date");
  if (isEmbedded) return ok("schema", "the next `pas serve` brings it up to date");
  return fail("schema", `${pending.length} migrations are missing, the first is ${pending[0]}; run \`pas migrate\``);
}

/** Asks what answers at the HTTP port whether it is ready. */
async function checkService({ HOST: host, HTTP_PORT: port }: Config): Promise<Finding> {
  const about = "service";
  const place = `${host}:${port}`;
  try {
    const response = await fetch(`${urlAt(host, port)}/readyz`, { signal: AbortSignal.timeout(serviceTimeoutMs) });
    const { status, detail } = (await response.json()) as { status?: unknown; detail?: unknown };
    if (status === "ready") return ok(about, `it runs at ${place}, and is ready`);
    if (typeof detail === "string") return fail(about, `it runs at ${place}, and is not ready: ${detail}`);
  } catch (error) {
    const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
    if (cause?.code === "ECONNREFUSED") return ok(about, `nothing runs at ${place} yet`);
  }
  return fail(about, `what runs at ${place} does not answer as the service; stop it, or correct HOST and HTTP_PORT`);
}

/** Checks keys and addresses. The embedded server, meant for evaluation, needs none of them. */
function checkSettings(config: Config, role: Role): Finding[] {
  const { WEBHOOK_KEY: webhookKeys, AUDIT_KEY: auditKeys, PUBLIC_URL: url, DATABASE_URL: databaseUrl } = config;
  const fault = findRoleFault(role, config);
  const ofRole = fault === undefined ? ok("role", role) : fail("role", fault);
  if (role === "gateway") return [ofRole, urlFinding(url, role)];
  if (role === "deliver" || databaseUrl === undefined) return [ofRole];
  const keyFinding = (about: string, name: string, keys: readonly unknown[] | undefined, off: string) =>
    keys === undefined
      ? warn(about, `${name} is not set: ${off}; \`openssl rand -base64 32\` makes one`)
      : ok(about, `${keys.length} in ${name}, of which the first one is used for what is new`);
  return [
    ofRole,
    keyFinding("webhook key", "WEBHOOK_KEY", webhookKeys, "partners can make no webhooks"),
    keyFinding("audit key", "AUDIT_KEY", auditKeys, "anchors of the audit log are not signed"),
    urlFinding(url, role),
  ];
}

function urlFinding(url: string | undefined, role: Role): Finding {
  const about = "public URL";
  if (url === undefined) {
    const off =
      role === "core" ? "there are no hosted sessions and no report links" : "links lead to this process's port";
    return warn(about, `PUBLIC_URL is not set: ${off}; set it to the address that callers use`);
  }
  if (url.startsWith("https:") || isThisMachine(url)) return ok(about, url);
  return warn(
    about,
    `${url}: tokens, links and answers travel in cleartext; put TLS before the HTTP port, and write https`,
  );
}

/** Unknown variables whose names are close to known ones. */
function checkNames({ setNames }: Config): Finding[] {
  return setNames.flatMap((name) => {
    const suggestion = suggestName(name, Object.keys(variables));
    return suggestion === undefined ? [] : [warn("variables", `${name} is not read; did you mean ${suggestion}?`)];
  });
}

/** Whether what is sent to the host of a URL stays on this machine. */
function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
