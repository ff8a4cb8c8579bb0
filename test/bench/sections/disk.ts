// Disk: what a completed session takes, in every table that keeps something of it, index by index.

import type { RowDataPacket } from "mysql2/promise";
import { Database } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/statement.ts";
import { AuditTrail, maxBatch } from "../../../src/domain/audit/trail.ts";
import { createStores } from "../../../src/store/stores.ts";
import { signal } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";
import type { Bench, SectionResult } from "../bench.ts";
import { figure } from "../report/table.ts";
import { type BenchDatabase, createBenchDatabase } from "../servers/bench-database.ts";
import { eventsOfSession, publishEvents, storeSessions } from "../servers/stored-sessions.ts";

/** Kept as long as the session is. */
const lasting = ["sessions"];
/** Kept for a time: EVENT_RETENTION_DAYS and AUDIT_RETENTION_DAYS. */
const passing = ["events", "audit_log"];

/** Stores sessions, two of each person, announces and counts them as the service does, and records two calls of each. */
export async function measureDisk(bench: Bench): Promise<SectionResult> {
  const { options, server, say } = bench;
  await using servers = new AsyncDisposableStack();
  const size = options.sessions;
  const database = await createBenchDatabase(server);
  servers.defer(() => database.drop());
  say(`  storing ${size.toLocaleString("en")} sessions`);
  await storeSessions(database, size);
  say("  announcing and recording them");
  await publishEvents(database, size * eventsOfSession);
  await recordCalls(database, size);
  const sizes = await indexSizes(database, [...lasting, ...passing]);
  const bytesOf = (tables: readonly string[]) =>
    sizes.filter(({ table }) => tables.includes(table)).reduce((sum, { bytes }) => sum + bytes, 0) / size;
  return {
    tables: [
      {
        title: `Bytes a completed session on disk, of ${size.toLocaleString("en")}`,
        head: ["table", "index", "bytes"],
        rows: [
          ...sizes.map(({ table, index, bytes }) => [table, index, figure(bytes / size)]),
          ["all that lasts", "", figure(bytesOf(lasting))],
          ["all that is removed in time", "", figure(bytesOf(passing))],
        ],
      },
    ],
    figures: { "disk.lasting.bytes": bytesOf(lasting), "disk.passing.bytes": bytesOf(passing) },
    rounds: sizes satisfies readonly IndexSize[],
  };
}

interface IndexSize {
  readonly table: string;
  /** `PRIMARY`: the rows themselves. */
  readonly index: string;
  readonly bytes: number;
}

/** What tables take on disk, index by index: all pages that belong to them, full or not. */
async function indexSizes(
  { connection, name }: Pick<BenchDatabase, "connection" | "name">,
  tables: readonly string[],
): Promise<IndexSize[]> {
  await connection.query("ANALYZE TABLE ??", [tables]);
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT table_name AS indexed, index_name AS named, stat_value * @@innodb_page_size AS bytes
     FROM mysql.innodb_index_stats WHERE database_name = ? AND table_name IN (?) AND stat_name = 'size'`,
    [name, tables],
  );
  return rows.map(({ indexed, named, bytes }) => ({ table: indexed, index: named, bytes: Number(bytes) }));
}

async function recordCalls({ address, partnerId, credentials }: BenchDatabase, sessions: number): Promise<void> {
  const db = new Database({ address, poolSize: 2, warn: () => undefined });
  try {
    const dependencies = testDependencies(createStores(db));
    const trail = new AuditTrail(dependencies);
    const about = { partnerId, clientId: credentials.clientId, targetId: null, outcome: "ok" };
    const statement = sql`SELECT LOWER(HEX(id)) AS id FROM sessions ORDER BY id LIMIT :sessions`;
    const rows = await db.findAll(statement, { sessions }, signal);
    for (const action of ["session.complete", "results.read"]) {
      for (let from = 0; from < rows.length; from += maxBatch) {
        const batch = rows.slice(from, from + maxBatch).map(({ id }) => {
          const sessionId = [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join(
            "-",
          );
          return trail.record([{ ...about, action, sessionId, requestId: sessionId }]);
        });
        await Promise.all(batch);
      }
    }
  } finally {
    await db.destroy();
  }
}
