// The primary of a cluster killed under load; another member takes its place, and the killed one comes back.
import { expect } from "vitest";
import type { BreakableCluster } from "../../support/database/mysql-cluster.ts";
import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { openStage } from "../../support/stage.ts";
import type { FaultCase } from "../fault-case.ts";

const kills = rounds(5, 1);
const effectsBetween = 60;

export const primaryKilled: FaultCase<BreakableCluster> = {
  name: `a cluster whose primary was killed ${kills} times keeps what was acknowledged, and nobody reads an older state`,
  async run(cluster) {
    const stage = await openStage(cluster);
    const { service } = stage;
    const players = stage.play();
    const elections: number[] = [];
    const returns: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      // The one that was killed before is back before the next one goes.
      await cluster.start();
      await players.untilAcknowledged(effectsBetween);
      await cluster.kill();
      const killedAt = performance.now();
      await cluster.elected();
      const electedAt = performance.now();
      await players.untilAcknowledged(1);
      elections.push(electedAt - killedAt);
      returns.push(performance.now() - electedAt);
      await service.untilReady();
    }
    await players.untilAcknowledged(effectsBetween);
    await stage.reckon(players);
    const outcomes = players.takeOutcomes();
    expect(Object.keys(outcomes).filter((name) => !["ok", "unavailable", "deadline_exceeded"].includes(name))).toEqual(
      [],
    );
    report("primary killed", { kills, "election ms": elections, "first effect after it ms": returns, outcomes });
  },
};
