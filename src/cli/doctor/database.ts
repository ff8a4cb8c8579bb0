// Whether the database can be reached and is up to date.
import {
  type ConnectionTrouble,
  type DatabaseAddress,
  openDatabase,
  patientAcquireTimeoutMs,
} from "../../database/database.ts";
import { readDatabaseUrl } from "../../database/database-url.ts";
import { pendingMigrations } from "../../database/migrate.ts";
import { fetchRows } from "../../database/statement.ts";
import type { CommandContext } from "../command.ts";
import { provideDatabase, troubleWords } from "../database.ts";
import { linesOf } from "../faults.ts";
import { type Finding, fail, isThisMachine, ok, warn } from "./findings.ts";

const timeoutMs = 30_000;

const selectVersion = { sql: "SELECT @@version AS version", names: [] };

/** Checks the database and its replica. */
export async function checkDatabase(context: CommandContext): Promise<Finding[]> {
  const { DATABASE_REPLICA_URL: replica } = context.config;
  const findings = await orFailure("database", async () => {
    const { address, isEmbedded, release } = await provideDatabase(context);
    const whose = isEmbedded ? "the embedded server of DATA_DIR" : "the server of DATABASE_URL";
    return await onServer(address, async (db, version, signal) => [
      addressFinding("database", whose, address, version),
      schemaFinding(await pendingMigrations(db, signal), isEmbedded),
    ]).finally(release);
  });
  if (replica === undefined) return findings;
  const address = { url: replica };
  const ofReplica = await orFailure("replica", () =>
    onServer(address, async (_, version) => [
      addressFinding("replica", "the server of DATABASE_REPLICA_URL", address, version),
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
  look: (db: ReturnType<typeof openDatabase>, version: string, signal: AbortSignal) => Promise<Finding[]>,
): Promise<Finding[]> {
  const troubles: ConnectionTrouble[] = [];
  const recordTrouble = (trouble: ConnectionTrouble) => troubles.push(trouble);
  const db = openDatabase({ address, poolSize: 1, warn: recordTrouble, acquireTimeoutMs: patientAcquireTimeoutMs });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const [row] = await fetchRows(db, selectVersion, {}, signal);
    return await look(db, String(row?.version), signal);
  } catch (error) {
    const [trouble] = troubles;
    throw trouble === undefined ? error : new Error(troubleWords(trouble));
  } finally {
    await db.destroy();
  }
}

/** Which server answers, and how well what is sent to it is protected. The driver never falls back from what the URL says. */
function addressFinding(about: string, whose: string, { url }: DatabaseAddress, version: string): Finding {
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
