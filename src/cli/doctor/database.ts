// Whether the database can be reached, is up to date, and has room for the service.
import {
  type ConnectionTrouble,
  type DatabaseAddress,
  maxPreparedStatements,
  openDatabase,
  ownConnections,
  patientAcquireTimeoutMs,
} from "../../database/database.ts";
import { readDatabaseUrl } from "../../database/database-url.ts";
import { pendingMigrations } from "../../database/migrate.ts";
import { fetchRows } from "../../database/statement.ts";
import type { CommandContext } from "../command.ts";
import { provideDatabase, troubleWords } from "../database.ts";
import { linesOf } from "../faults.ts";
import { type Finding, fail, isThisMachine, ok, warn } from "./finding.ts";

const timeoutMs = 30_000;
/** Connections that are not the service's: operators, backups, replicas. */
const otherConnections = 10;
/** Share of a limit of the server, so that one more process can be started. */
const reserve = 0.8;

interface ServerLimits {
  /** The server's version, for example `9.7.0` or `10.11.14-MariaDB`. */
  readonly version: string;
  readonly connections: number;
  /** Most connections at a time of this account; 0: no other limit than that of the server. */
  readonly ofAccount: number;
  readonly statements: number;
}

const selectLimits = {
  sql: "SELECT @@version AS version, @@max_connections AS connections, @@max_user_connections AS ofAccount, @@max_prepared_stmt_count AS statements",
  names: [],
};

/** Checks the database and its replica. @param processes of the service, on all machines together */
export async function checkDatabase(context: CommandContext, processes: number): Promise<Finding[]> {
  const { DATABASE_POOL_SIZE: pool, DATABASE_REPLICA_URL: replica } = context.config;
  const findings = await orFailure("database", async () => {
    const { address, isEmbedded, release } = await provideDatabase(context);
    const whose = isEmbedded ? "the embedded server of DATA_DIR" : "the server of DATABASE_URL";
    return await onServer(address, async (db, limits, signal) => [
      addressFinding("database", whose, address, limits),
      schemaFinding(await pendingMigrations(db, signal), isEmbedded),
      ...limitFindings(limits, processes * (pool + ownConnections)),
    ]).finally(release);
  });
  if (replica === undefined) return findings;
  const address = { url: replica };
  const ofReplica = await orFailure("replica", () =>
    onServer(address, async (_, limits) => [
      addressFinding("replica", "the server of DATABASE_REPLICA_URL", address, limits),
    ]),
  );
  return [...findings, ...ofReplica];
}

async function orFailure(about: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [fail(about, linesOf(error).join("; "))];
  }
}

/** Checks a server over a connection like those of the service. Throws the reason if it cannot connect. */
async function onServer(
  address: DatabaseAddress,
  look: (db: ReturnType<typeof openDatabase>, limits: ServerLimits, signal: AbortSignal) => Promise<Finding[]>,
): Promise<Finding[]> {
  const troubles: ConnectionTrouble[] = [];
  const recordTrouble = (trouble: ConnectionTrouble) => troubles.push(trouble);
  const db = openDatabase({ address, poolSize: 1, warn: recordTrouble, acquireTimeoutMs: patientAcquireTimeoutMs });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const [limits] = await fetchRows(db, selectLimits, {}, signal);
    return await look(db, limits as unknown as ServerLimits, signal);
  } catch (error) {
    const [trouble] = troubles;
    throw trouble === undefined ? error : new Error(troubleWords(trouble));
  } finally {
    await db.destroy();
  }
}

/** Which server answers, and how well what is sent to it is protected. The driver never falls back from what the URL says. */
function addressFinding(about: string, whose: string, { url }: DatabaseAddress, { version }: ServerLimits): Finding {
  const { socketPath, tls } = readDatabaseUrl(url);
  const answers = (way: string) => ok(about, `${whose} answers ${way}: ${version}`);
  if (tls?.verifyIdentity) return answers("by TLS, its certificate and name verified");
  if (tls !== undefined) return answers(`by TLS, its certificate ${tls.rejectUnauthorized ? "" : "not "}verified`);
  if (socketPath !== undefined) return answers("by a socket");
  if (isThisMachine(url)) return answers("in cleartext");
  return warn(about, `${whose} answers in cleartext: ${version}; encrypt the way with ?ssl-mode=VERIFY_IDENTITY`);
}

function schemaFinding(pending: readonly string[], isEmbedded: boolean): Finding {
  if (pending.length === 0) return ok("schema", "up to date");
  if (isEmbedded) return ok("schema", "the next `pas serve` brings it up to date");
  return fail("schema", `${pending.length} migrations are missing, the first is ${pending[0]}; run \`pas migrate\``);
}

/** @param needed connections of the service */
function limitFindings({ connections, ofAccount, statements }: ServerLimits, needed: number): Finding[] {
  const compare = (about: string, variable: string, most: number, limit: number) => {
    const words = `${most} at most, of ${variable} ${limit}`;
    if (most > limit) return fail(about, `${words}; raise ${variable} or lower DATABASE_POOL_SIZE`);
    return most > limit * reserve ? warn(about, `${words}; above ${100 * reserve} %`) : ok(about, words);
  };
  return [
    compare("connections", "max_connections", needed + otherConnections, connections),
    ...(ofAccount > 0 ? [compare("account", "MAX_USER_CONNECTIONS", needed, ofAccount)] : []),
    compare("statements", "max_prepared_stmt_count", needed * maxPreparedStatements, statements),
  ];
}
