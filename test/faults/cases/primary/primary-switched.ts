// The primary of a cluster replaced in good order, as for maintenance.
import { expect } from "vitest";
import type { BreakableCluster } from "../../support/database/mysql-cluster.ts";
import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { openStage } from "../../support/stage.ts";
import type { FaultCase } from "../fault-case.ts";

const switches = rounds(5, 1);
const effectsBetween = 60;

export const primarySwitched: FaultCase<BreakableCluster> = {
  name: `a cluster whose primary was replaced ${switches} times costs callers no more than a 503, and nothing acknowledged`,
  async run(cluster) {
    const stage = await openStage(cluster);
    const players = stage.play();
    const returns: number[] = [];
    for (let count = 0; count < switches; count += 1) {
      await players.untilAcknowledged(effectsBetween);
      await cluster.switchPrimary();
      const switchedAt = performance.now();
      await players.untilAcknowledged(1);
      returns.push(performance.now() - switchedAt);
    }
    await players.untilAcknowledged(effectsBetween);
    await stage.reckon(players);
    const outcomes = players.takeOutcomes();
    expect(Object.keys(outcomes).filter((name) => !["ok", "unavailable"].includes(name))).toEqual([]);
    report("primary replaced", { switches, "first effect after it ms": returns, outcomes });
  },
};
