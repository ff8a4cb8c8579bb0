// From one MySQL to Vitess while assessments go on.
import { onTestFinished, test } from "vitest";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import { report } from "../../faults/support/run/report.ts";
import { MysqlNode } from "../../support/databases/servers/mysql-node.ts";
import { provideMysqlRoot } from "../../support/databases/servers/mysql97-root.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { Move } from "./move.ts";
import { startService } from "./service.ts";
import { playing, say } from "./stage.ts";

const database = "pas";

test("moving a service from one MySQL to two keyspaces and two shards loses and repeats no event", async () => {
  const mysql = await MysqlNode.create(await provideMysqlRoot(say), () => ["--server-id=1", "--tmpdir=/tmp"]);
  onTestFinished(() => mysql.remove());
  await mysql.start();
  await mysql.asAdministrator((connection) => connection.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`));
  const direct = `mysql://root@127.0.0.1:${mysql.port}/${database}`;
  await prepareDatabase({ say }, { url: direct });
  const cluster: Cluster = await startCluster(say);
  onTestFinished(() => cluster.stop());
  const service = await startService(direct);
  onTestFinished(() => service.stop());
  const { play, reckon } = playing(cluster.url, service);
  const load = play();
  const startedAt = performance.now();
  const steps: string[] = [];
  const step = (what: string) => {
    const { outcomes, ...measures } = load.take();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    steps.push(what);
    report(what, { "after s": seconds, ...measures, outcomes });
  };
  await load.untilEach(4);
  step("on one MySQL");
  const move = new Move(cluster, mysql, database);
  onTestFinished(() => move.stop());
  await cluster.addShard("global", "0");
  for (const shard of ["-80", "80-"]) await cluster.addShard("assess", shard);
  await move.show();
  await cluster.parts.vtgate.start();
  step("Vitess beside it");
  await move.copy();
  step("rows copied");
  for (const each of [...service.cores, service.deliverer]) {
    await each.end("SIGTERM");
    await each.start({ DATABASE_URL: cluster.url });
    await load.untilEach(1);
  }
  step("every process restarted on vtgate");
  await move.switchTraffic();
  step("traffic switched");
  await load.untilEach(4);
  await move.complete();
  step("completed");
  await load.untilEach(4);
  step("on Vitess");
  await reckon(load);
  await mysql.end("SIGKILL");
  const after = play();
  await after.untilEach(4);
  await reckon(after);
});
