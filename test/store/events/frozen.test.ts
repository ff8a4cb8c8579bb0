// A process that stands still while it has the log holds it up until the server ends its connection, and no longer.

import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../../src/database/statement.ts";
import { openSequencer } from "../../../src/process/run-jobs.ts";
import { createEventStore } from "../../../src/store/events/event-store.ts";
import { someId } from "../../support/builders.ts";
import type { DatabaseProxy } from "../../support/databases/database-proxy.ts";
import { lockRows } from "../../support/databases/locks.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { logOf, newSequencer, sequenceEvents } from "../../support/webhooks/sequencing.ts";

const beginning = { since: new Date(0), id: "00000000-0000-0000-0000-000000000000" };

const database = await storesOfFile();

type OpenSequencer = ReturnType<typeof openSequencer>;

/** What a process announces and expires with, and the proxy that can freeze it. */
async function newProcess(): Promise<OpenSequencer & { readonly proxy: DatabaseProxy }> {
  const { proxy, url } = await proxyBefore(database.address);
  const open = openSequencer({ address: { url }, warn: () => undefined }, () => undefined);
  onTestFinished(() => open[Symbol.asyncDispose]());
  return { ...open, proxy };
}

/** Sessions in the log whose time there is over, and one that is to be announced. */
async function someNews(): Promise<string> {
  const partnerId = someId();
  for (let count = 0; count < 3; count += 1) await storeSession(database, { partnerId });
  await sequenceEvents(database);
  await database.connection.query("UPDATE events SET recorded_at = NOW(3) - INTERVAL 31 DAY");
  await storeSession(database, { partnerId });
  return partnerId;
}

const expire = async ({ log }: OpenSequencer) => log.expireEvents(30, 10, await database.now(), signal);
const announce = ({ sequencer }: OpenSequencer) => sequencer.run(signal);
const lockTaken = "SELECT position";
const expiryNoted = "UPDATE event_position SET expired";

/** Has the process stand still behind a statement. @returns told when it does */
function freezeAt(proxy: DatabaseProxy, statement: string): Promise<void> {
  return new Promise((resolve) => {
    proxy.choose = (each) => {
      if (!each.startsWith(statement)) return undefined;
      proxy.choose = () => undefined;
      resolve();
      return "frozen";
    };
  });
}

/** Until another process has brought the news into the log. */
async function untilAnnounced(partnerId: string): Promise<void> {
  const { sequencer } = newSequencer(database.address);
  const isAnnounced = async () => {
    await sequencer.run(signal);
    return (await logOf(database, partnerId)).some(({ sequence }) => sequence === 4);
  };
  await expect.poll(isAnnounced).toBe(true);
}

test.each([
  ["announces", announce, lockTaken],
  ["removes what has expired", expire, expiryNoted],
] as const)("other processes announce events while a frozen one %s", async (_, work, statement) => {
  const partnerId = await someNews();
  const process = await newProcess();
  const frozen = freezeAt(process.proxy, statement);
  const working = work(process).catch(() => undefined);
  await frozen;
  const { store } = newSequencer(database.address);
  await expect.poll(() => store.publish(beginning, 10, signal)).toBeUndefined();
  await untilAnnounced(partnerId);
  await working;
});

test("other processes announce events though a frozen one gets the lock that it waited for", async () => {
  const partnerId = await someNews();
  const process = await newProcess();
  const release = await lockRows(database, "SELECT position FROM event_position WHERE id = 1 FOR UPDATE");
  const frozen = freezeAt(process.proxy, expiryNoted);
  const working = expire(process).catch(() => undefined);
  await frozen;
  await release();
  await untilAnnounced(partnerId);
  await working;
});

test("skipping numbers holds no lock between statements", async () => {
  const { proxy, url } = await proxyBefore(database.address);
  const db = poolOfTest({ address: { url }, poolSize: 1 });
  const statements: string[] = [];
  proxy.choose = (statement) => {
    statements.push(statement);
    return undefined;
  };
  await createEventStore(db).skipAhead(signal);
  expect(statements).toContainEqual(expect.stringMatching(/^UPDATE event_position/));
  expect(statements.filter((statement) => /^(begin|start)/i.test(statement))).toEqual([]);
});

test("the server ends the connection of a sequencer that is frozen after ten seconds", async () => {
  const { db } = newSequencer(database.address);
  const read = sql`SELECT @@wait_timeout AS idle, @@net_write_timeout AS untaken`;
  const settings = await db.findOne(read, {}, signal);
  expect(settings).toEqual({ idle: 10, untaken: 10 });
});
