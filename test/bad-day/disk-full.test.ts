// A database whose disk is full of binary logs: what the runbook says to do makes room, and nothing is restarted.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answer, bodyOf } from "../e2e/cases/case.ts";
import { makeSmallDisk } from "../faults/support/database/small-disk.ts";
import { startLoggingServer } from "./support/logging-server.ts";
import { commandsOf, startOperator } from "./support/runbook.ts";
import { serveOn } from "./support/service.ts";

const diskMegabytes = 400;
const oldLogs = 6;
const reserveBytes = 8 * 2 ** 20;

test("a full disk: reads go on, the commands make room where even removing logs takes some, and writers go on", async () => {
  const disk = await makeSmallDisk(diskMegabytes);
  if (disk === undefined) {
    console.log("!!! NOT TESTED: a full disk, for want of the right to mount one");
    return;
  }
  onTestFinished(() => disk.remove());
  const database = await startLoggingServer(disk.folder);
  onTestFinished(() => database.stop());
  const { transport, as, httpUrl } = await serveOn(database);
  const readiness = async () => {
    const response = await fetch(`${httpUrl}/readyz`);
    const { detail = "" } = (await response.json()) as { readonly detail?: string };
    return `${response.status} ${detail}`;
  };
  const operator = await startOperator(database);
  const { sessionId } = bodyOf(await transport.createSession(as, {}));
  const reserve = join(disk.folder, "reserve");
  await writeFile(reserve, Buffer.alloc(reserveBytes));
  await database.writeOldLogs(oldLogs);
  await disk.fill();
  const write = () => transport.createSession(as, {});
  // What was allocated before takes some more.
  await expect
    .poll(write)
    .toMatchObject({ ok: false, code: expect.stringMatching(/^(unavailable|deadline_exceeded)$/) });
  expect(bodyOf(await transport.getSession(as, sessionId)).sessionId).toBe(sessionId);
  await expect.poll(readiness).toBe("503 The database answers and takes no writes; look whether its disk is full.");
  const [free = "", show = "", purge = ""] = commandsOf("The disk is full");
  await operator.follow(free, { RESERVE_FILE: reserve });
  const logs = async () => (await operator.follow(show)).match(/^binlog\./gm)?.length ?? 0;
  expect(await logs()).toBeGreaterThan(oldLogs);
  await operator.follow(purge);
  expect(await logs()).toBeLessThan(oldLogs);
  await expect.poll(write).toMatchObject({ ok: true });
  await expect.poll(readiness).toBe("200 ");
  bodyOf(await transport.completeSession(as, sessionId, [answer(1001, 4)]));
});
