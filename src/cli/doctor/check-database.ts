// Whether the database can be reached, is up to date, agrees on the time, and has room for the service.
import type { Config } from "../../config.ts";
import { clockFault, leastLead } from "../../database/clock.ts";
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
import { hostClocks } from "../../process/shared.ts";
import { createValuesBridge } from "../../products/values-bridge/values-bridge.ts";
import { createStores } from "../../store/stores.ts";
import type { CommandContext } from "../command.ts";
import { type AvailableDatabase, provideDatabase, troubleWords } from "../database.ts";
import { linesOf } from "../faults.ts";
import { type Finding, fail, isThisMachine, ok, warn } from "./finding.ts";

const timeoutMs = 30_000;
/** Connections that are not the service's: operators, backups, replicas. */
const otherConnections = 10;
/** Share of a limit of the server, so that one more process can be started. */
const reserve = 0.8;

type Database = ReturnType<typeof openDatabase>;

/** Checks the database and its replica. @param processes of the service, on all machines together */
export async function checkDatabase(context: CommandContext, processes: number): Promise<Finding[]> {
  const { config } = context;
  const { DATABASE_REPLICA_URL: url } = config;
  return [
    ...(await orFailure("database", async () => {
      const database = await provideDatabase(context);
      return await checkServer(database, config, processes).finally(() => database.release());
    })),
    ...(url === undefined ? [] : await orFailure("replica", () => checkReplica({ url }))),
  ];
}

async function orFailure(about: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [fail(about, linesOf(error).join("; "))];
  }
}

function checkServer(database: AvailableDatabase, config: Config, processes: number): Promise<Finding[]> {
  const { address, isEmbedded } = database;
  return onServer(address, async (db, limits, signal) => {
    const whose = isEmbedded ? "the embedded server of DATA_DIR" : "the server of DATABASE_URL";
    return [
      answersFinding("database", whose, address, limits),
      ...(await checkContent(db, isEmbedded, config, signal)),
      ...checkLimits(limits, config, processes),
    ];
  });
}

function checkReplica(address: DatabaseAddress): Promise<Finding[]> {
  return onServer(address, async (_, limits) => [
    answersFinding("replica", "the server of DATABASE_REPLICA_URL", address, limits),
  ]);
}

interface ServerLimits {
  /** The server's version, for example `9.7.0` or `10.11.14-MariaDB`. */
  readonly version: string;
  /** Most connections at a time. */
  readonly connections: number;
  /** Most connections at a time of this account; 0: no other limit than that of the server. */
  readonly ofAccount: number;
  /** Most prepared statements of all connections together. */
  readonly statements: number;
}

const selectLimits = {
  sql: "SELECT @@version AS version, @@max_connections AS connections, @@max_user_connections AS ofAccount, @@max_prepared_stmt_count AS statements",
  names: [],
};

/** Checks a server over a connection like those of the service. Throws the reason if it cannot connect. */
async function onServer(
  address: DatabaseAddress,
  look: (db: Database, limits: ServerLimits, signal: AbortSignal) => Promise<Finding[]>,
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
function answersFinding(about: string, whose: string, { url }: DatabaseAddress, { version }: ServerLimits): Finding {
  const { socketPath, tls } = readDatabaseUrl(url);
  const answers = (way: string) => ok(about, `${whose} answers ${way}: ${version}`);
  if (tls?.verifyIdentity) return answers("by TLS, its certificate and name verified");
  if (tls?.rejectUnauthorized) return answers("by TLS, its certificate verified");
  if (tls !== undefined) return answers("by TLS, its certificate not verified");
  if (socketPath !== undefined) return answers("by a socket");
  if (isThisMachine(url)) return answers("in cleartext");
  return warn(about, `${whose} answers in cleartext: ${version}; encrypt the way with ?ssl-mode=VERIFY_IDENTITY`);
}

/** What is in the database. */
async function checkContent(
  db: Database,
  isEmbedded: boolean,
  config: Config,
  signal: AbortSignal,
): Promise<Finding[]> {
  const pending = await pendingMigrations(db, signal);
  if (pending.length > 0) {
    const missing = `${pending.length} migrations are missing, the first is ${pending[0]}; run \`pas migrate\``;
    return [isEmbedded ? ok("schema", "the next `pas serve` brings it up to date") : fail("schema", missing)];
  }
  const { assessments, databaseClock, signingKeys } = createStores(db);
  const { reading } = await databaseClock.readState(hostClocks.monotonic, signal);
  const lead = leastLead(reading, hostClocks.system());
  const fault = clockFault(lead);
  const { name: product } = createValuesBridge();
  const versions = await assessments.listAssessments(product, signal);
  const newest = Math.max(...versions.map(({ version }) => version));
  const stored = (await signingKeys.listSigningKeys(signal)).length;
  const keyWords =
    stored === 0
      ? "none yet; the first one is made when a hosted session is completed"
      : `${stored} kept in the database`;
  const { SIGNING_KEY: configured } = config;
  return [
    ok("schema", "up to date"),
    fault === undefined
      ? ok("clock", `within ${(Math.abs(lead) / 1000).toFixed(1)} s of the database's`)
      : fail("clock", fault),
    versions.length === 0
      ? fail("instrument", `no version of ${product} is published; run \`pas migrate\``)
      : ok("instrument", `version ${newest} of ${product} is published`),
    ok("signing keys", configured ? `${configured.length} in SIGNING_KEY; the first one signs` : keyWords),
  ];
}

function checkLimits(limits: ServerLimits, { DATABASE_POOL_SIZE: pool }: Config, processes: number): Finding[] {
  const ours = `${processes} × (DATABASE_POOL_SIZE ${pool} + ${ownConnections})`;
  const compare = (about: string, variable: string, sum: string, needed: number, limit: number) => {
    const words = `${sum} = ${needed} at most, of ${variable} ${limit}`;
    if (needed > limit) return fail(about, `${words}; raise ${variable} or lower DATABASE_POOL_SIZE`);
    return needed > limit * reserve ? warn(about, `${words}; above ${100 * reserve} %`) : ok(about, words);
  };
  const { connections, ofAccount, statements } = limits;
  const connectionCount = processes * (pool + ownConnections);
  const both = `${ours} + ${otherConnections} others`;
  return [
    compare("connections", "max_connections", both, connectionCount + otherConnections, connections),
    ...(ofAccount > 0 ? [compare("account", "MAX_USER_CONNECTIONS", ours, connectionCount, ofAccount)] : []),
    compare(
      "statements",
      "max_prepared_stmt_count",
      `${ours} × ${maxPreparedStatements}`,
      connectionCount * maxPreparedStatements,
      statements,
    ),
  ];
}
