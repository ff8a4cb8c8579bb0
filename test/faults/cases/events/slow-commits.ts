// Writers whose commits come in another order than their writes, late, or never, and readers who keep their cursors.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "mysql2/promise";
import { expect, onTestFinished } from "vitest";
import { uuidToBytes } from "../../../../src/database/statement.ts";
import { eventText, publishing } from "../../../../src/store/events/unpublished.ts";
import { logFaults, readLog } from "../../support/events/event-log.ts";
import { FeedReader } from "../../support/events/feed-reader.ts";
import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { ServiceProcess } from "../../support/service/service.ts";
import { openStage } from "../../support/stage.ts";
import type { FaultCase } from "../fault-case.ts";

const writers = 32;
const sessionsEach = rounds(40, 4);
const readers = 3;
const slowShare = 1 / 3;
const slowestMs = 1_500;
const lostShare = 0.05;

const insert = `INSERT INTO sessions (id, partner_id, external_id, product, assessment_id, mode, revision, created_at, answers,
    unpublished, unpublished_since)
  VALUES (?, ?, 'writer', 'values-bridge', 1, 'headless', 0, NOW(3), '', ${eventText("session.created", "NOW(3)")}, NOW(3))`;
const [started, ...ended] = (["session.started", "session.completed", "session.scored"] as const).map((type) =>
  eventText(type, "NOW(3)"),
);
const answer = `UPDATE sessions SET ${publishing(`${started}`)}, revision = 1, answers = X'02' WHERE id = ?`;
const complete = `UPDATE sessions SET ${publishing(ended.join())}, revision = 2, completed_at = NOW(3), results = X'01'
  WHERE id = ?`;

export const slowCommits: FaultCase = {
  name: `${writers} writers with slow commits and two that announce: no reader of the feed is shown less, more or anything twice`,
  async run(database) {
    const stage = await openStage(database);
    const { service, token, partnerId } = stage;
    const other = await ServiceProcess.start(stage.environment, "--role", "core");
    onTestFinished(async () => {
      await other.end("SIGKILL");
    });
    const following = Array.from({ length: readers }, () => new FeedReader(service.httpUrl, token));
    onTestFinished(async () => {
      await Promise.all(following.map((reader) => reader.end()));
    });
    const counts = { committed: 0, slow: 0, lost: 0 };
    const write = async (connection: Connection) => {
      for (let count = 0; count < sessionsEach; count += 1) {
        const id = uuidToBytes(randomUUID());
        const statements: readonly [string, Buffer[]][] = [
          [insert, [id, uuidToBytes(partnerId)]],
          [answer, [id]],
          [complete, [id]],
        ];
        for (const [sql, values] of statements) {
          if (!(await commits(connection, sql, values, counts))) break;
        }
      }
    };
    await Promise.all(
      Array.from({ length: writers }, () =>
        database.asAdministrator(async (connection) => {
          // As the service writes.
          await connection.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
          await write(connection);
        }),
      ),
    );
    await stage.untilLogged();
    expect(await database.asAdministrator((connection) => logFaults(connection, partnerId))).toEqual([]);
    const log = await database.asAdministrator((connection) => readLog(connection, partnerId));
    for (const reader of following) {
      await reader.untilRead(log.length);
      expect({ violations: reader.violations, read: reader.names }).toEqual({ violations: [], read: log });
    }
    expect(counts.slow).toBeGreaterThan(0);
    report("slow commits", { ...counts, events: log.length, readers });
  },
};

/** A write in a transaction of its own. @returns whether it was committed, which may take its time */
async function commits(
  connection: Connection,
  sql: string,
  values: Buffer[],
  counts: { committed: number; slow: number; lost: number },
): Promise<boolean> {
  await connection.query("BEGIN");
  await connection.query(sql, values);
  if (Math.random() < slowShare) {
    counts.slow += 1;
    await pause(Math.random() * slowestMs);
  }
  const isLost = Math.random() < lostShare;
  await connection.query(isLost ? "ROLLBACK" : "COMMIT");
  counts[isLost ? "lost" : "committed"] += 1;
  return !isLost;
}
