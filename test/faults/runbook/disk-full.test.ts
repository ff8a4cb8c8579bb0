// A database whose disk is full of binary logs: what the runbook says to do makes room, nothing is restarted, and nothing
// that was acknowledged is lost.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { until } from "../../support/until.ts";
import { makeSmallDisk } from "../support/database/small-disk.ts";
import { startLoggingServer } from "../support/incidents/logging-server.ts";
import { commandsOf, startOperator } from "../support/incidents/runbook.ts";
import { reportMissing } from "../support/run/report.ts";
import { openStage } from "../support/stage.ts";

const diskMegabytes = 100;
const oldLogs = 6;
const reserveBytes = 8 * 2 ** 20;
const effects = 60;
const refusals = 20;

test("the commands make room on a full disk, where reads go on, and writes go on afterwards", async () => {
  const disk = await makeSmallDisk(diskMegabytes);
  if (disk === undefined) {
    reportMissing("a full disk, for want of the right to mount one");
    return;
  }
  onTestFinished(() => disk.remove());
  const database = await startLoggingServer(disk.folder);
  onTestFinished(() => database.stop());
  const stage = await openStage(database);
  const { httpUrl } = stage.service;
  const readiness = async () => {
    const response = await fetch(`${httpUrl}/readyz`);
    const { detail = "" } = (await response.json()) as { readonly detail?: string };
    return `${response.status} ${detail}`;
  };
  const operator = await startOperator(database);
  const reserve = join(disk.folder, "reserve");
  await writeFile(reserve, Buffer.alloc(reserveBytes));
  await database.writeOldLogs(oldLogs);
  const players = stage.play();
  await players.untilAcknowledged(effects);
  await disk.fill();
  // The server lets some writes wait for room, which then have no time left.
  const countRefused = () =>
    ["unavailable", "deadline_exceeded"].reduce((sum, code) => sum + (players.outcomes.get(code) ?? 0), 0);
  await until(() => countRefused() > refusals);
  await players.end();
  const { sessionId = "" } = players.journal.someCompleted() ?? {};
  // Writes that wait hold the connections of their partner until they end.
  const read = () => restTransport(httpUrl).getSession({ token: stage.token }, sessionId);
  await expect.poll(read).toMatchObject({ ok: true, body: { sessionId } });
  await expect.poll(readiness).toBe("503 The database answers but accepts no writes; check whether its disk is full.");
  const [free = "", show = "", purge = ""] = commandsOf("The disk is full");
  await operator.follow(free, { RESERVE_FILE: reserve });
  const logs = async () => (await operator.follow(show)).match(/^binlog\./gm)?.length ?? 0;
  expect(await logs()).toBeGreaterThan(oldLogs);
  await operator.follow(purge);
  expect(await logs()).toBeLessThan(oldLogs);
  await stage.play().untilAcknowledged(effects);
  await expect.poll(readiness).toBe("200 ");
  await stage.reckon();
});
