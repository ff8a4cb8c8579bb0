// The database killed under load, and started again.
import { expect } from "vitest";
import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { openStage } from "../../support/stage.ts";
import type { FaultCase } from "../fault-case.ts";

const kills = rounds(10, 2);
const effectsBetween = 60;

export const databaseKilled: FaultCase = {
  name: `a database that was killed ${kills} times costs callers no more than a 503, and nothing acknowledged`,
  notOn: ["cluster"],
  shortOn: ["MariaDB"],
  async run(database) {
    const stage = await openStage(database);
    const { service } = stage;
    const players = stage.play();
    const pid = service.pid;
    const waits: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      await players.untilAcknowledged(effectsBetween);
      await database.kill();
      await service.untilUnready();
      await database.start();
      const backAt = performance.now();
      await players.untilAcknowledged(1);
      waits.push(performance.now() - backAt);
      await service.untilReady();
    }
    await players.untilAcknowledged(effectsBetween);
    await stage.reckon(players);
    const outcomes = players.takeOutcomes();
    expect(Object.keys(outcomes).filter((name) => !["ok", "unavailable", "broken"].includes(name))).toEqual([]);
    expect(service.pid).toBe(pid);
    report("database killed", { kills, "slowest first effect ms": Math.max(...waits), outcomes });
  },
};
