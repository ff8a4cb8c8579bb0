// A new primary that has not yet applied all that its predecessor acknowledged, reached at once: some proxies go by the
// role of a server and do not wait until it takes writes.
import { expect } from "vitest";
import { startDatabaseProxy } from "../../../support/databases/database-proxy.ts";
import type { BreakableCluster } from "../../support/database/mysql-cluster.ts";
import { report } from "../../support/run/report.ts";
import { openStage } from "../../support/stage.ts";
import { until } from "../../support/system.ts";
import type { FaultCase } from "../fault-case.ts";

const effects = 120;
const heldCalls = 6;

export const primaryBehind: FaultCase<BreakableCluster> = {
  name: "a primary that is behind its predecessor serves no call before it has caught up",
  shortOn: [],
  async run(cluster) {
    const proxy = await startDatabaseProxy(await cluster.elected());
    const stage = await openStage(cluster, { url: cluster.urlThrough(proxy.port) });
    const players = stage.play();
    await players.untilAcknowledged(effects);
    const release = await cluster.holdSecondaries();
    await players.untilAcknowledged(effects);
    await cluster.kill();
    proxy.target = await cluster.elected();
    players.takeOutcomes();
    const { outcomes } = players;
    const ended = () => outcomes.values().reduce((sum, count) => sum + count, 0);
    await until("calls that waited for the primary", () => ended() >= heldCalls || undefined);
    const whileBehind = players.takeOutcomes();
    await release();
    await players.untilAcknowledged(effects);
    await stage.reckon(players);
    expect(Object.keys(whileBehind).filter((name) => !["unavailable", "deadline_exceeded"].includes(name))).toEqual([]);
    report("primary behind", { whileBehind });
    await cluster.start();
  },
};
