// Shards with replicas: a primary that is replaced in good order, and one whose server is gone for good.
import { afterAll, beforeAll, test } from "vitest";
import { report } from "../../faults/support/run/report.ts";
import { openStage, type Stage } from "./stage.ts";
import type { Tablet } from "./tablet.ts";

let stage: Stage;
let replicas: Tablet[];
beforeAll(async () => {
  stage = await openStage(["-80", "80-"]);
  const { cluster } = stage;
  const primaries = cluster.tablets.filter(({ keyspace }) => keyspace === "assess");
  replicas = [await cluster.addReplica("assess", "80-"), await cluster.addReplica("assess", "80-")];
  await cluster.addReplica("assess", "-80");
  // From the next choice of a primary on a commit is acknowledged when another server has it.
  await cluster.vtctl("SetKeyspaceDurabilityPolicy", "--durability-policy=semi_sync", "assess");
  for (const { shard, alias } of primaries) {
    await cluster.vtctl("PlannedReparentShard", `assess/${shard}`, `--new-primary=${alias}`);
  }
});
afterAll(() => stage.stop());

test("replacing a primary in good order, or after it is lost for good, loses nothing acknowledged", async () => {
  const { cluster } = stage;
  const [replica] = replicas;
  const load = stage.play();
  await load.untilEach(4);
  load.take();
  await cluster.vtctl("PlannedReparentShard", "assess/80-", `--new-primary=${replica?.alias}`);
  await load.untilEach(4);
  report("primary replaced", { ...load.take() });
  await replica?.mysql.end("SIGKILL");
  await load.untilTrouble();
  await cluster.vtctl("EmergencyReparentShard", "assess/80-");
  await load.untilEach(8);
  report("primary's server gone", { ...load.take() });
  await stage.reckon(load);
});
