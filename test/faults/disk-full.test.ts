// A database without room on its disk. Where its log has no room either, MariaDB may end itself rather than refuse, so
// the server is watched as `npm start` watches it.
import { expect, onTestFinished, test } from "vitest";
import { watchEmbedded } from "../../src/cli/serving/serve.ts";
import { createLogger } from "../../src/telemetry/logs/logger.ts";
import { startMariadb } from "./support/database/mariadb.ts";
import { makeSmallDisk } from "./support/database/small-disk.ts";
import { report, reportMissing } from "./support/run/report.ts";
import { openStage } from "./support/stage.ts";
import { until } from "./support/system.ts";

const diskMegabytes = 300;
const effectsBetween = 60;
const refusals = 50;

test("a database without room on its disk costs writers a 503 and nothing acknowledged, and goes on when there is room", async () => {
  const disk = await makeSmallDisk(diskMegabytes);
  if (disk === undefined) {
    reportMissing("a full disk, for want of the right to mount one");
    return;
  }
  onTestFinished(() => disk.remove());
  const database = await startMariadb(disk.folder);
  onTestFinished(() => database.remove());
  const watch = watchEmbedded(disk.folder, createLogger("silent"));
  onTestFinished(() => watch.stop());
  const stage = await openStage(database);
  const players = stage.play();
  await players.untilAcknowledged(effectsBetween);
  await disk.fill();
  await until("writers that were refused", () => (players.outcomes.get("unavailable") ?? 0) > refusals || undefined);
  await disk.clear();
  await players.untilAcknowledged(effectsBetween);
  await stage.reckon(players);
  const outcomes = players.takeOutcomes();
  expect(Object.keys(outcomes).toSorted()).toEqual(["ok", "unavailable"]);
  report("disk full", { outcomes });
});
