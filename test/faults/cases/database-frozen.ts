// The database stopped in its tracks, and going on as if nothing had happened.
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { report } from "../support/report.ts";
import { openStage } from "../support/stage.ts";
import type { FaultCase } from "./fault-case.ts";

const frozenMs = 8_000;
const effectsBetween = 60;
/** More than buffers of a few requests can take, and far less than a queue without a limit would. */
const allowedGrowthMb = 100;

export const databaseFrozen: FaultCase = {
  name: "while the database hangs every call ends in time, and afterwards all goes on",
  notOn: ["cluster"],
  async run(database) {
    const stage = await openStage(database);
    const { service } = stage;
    const players = stage.play();
    await players.untilAcknowledged(5 * effectsBetween);
    players.takeOutcomes();
    const before = service.residentMb();
    database.freeze();
    await pause(frozenMs);
    const after = service.residentMb();
    const { slowestMs } = players;
    database.thaw();
    await players.untilAcknowledged(effectsBetween);
    await service.untilReady();
    await stage.reckon(players);
    const outcomes = players.takeOutcomes();
    expect(Object.keys(outcomes).filter((name) => !["ok", "unavailable", "deadline_exceeded"].includes(name))).toEqual(
      [],
    );
    expect(after - before).toBeLessThan(allowedGrowthMb);
    report("database frozen", {
      "slowest call ms": Math.max(slowestMs, players.slowestMs),
      "growth MB": after - before,
      outcomes,
    });
  },
};
