// Connections to the database cut in the middle of statements, and answers that come late.
import { expect } from "vitest";
import { type Cut, startDatabaseProxy } from "../../../support/databases/database-proxy.ts";
import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { openStage } from "../../support/stage.ts";
import type { FaultCase } from "../fault-case.ts";

const kinds: readonly Cut[] = ["request", "half", "answer"];
const effects = rounds(3_000, 300);
const slowEffects = rounds(150, 40);
const latencyMs = 200;
const cutShare = 0.05;

export const connectionsCut: FaultCase = {
  name: "connections cut in the middle of a statement, and a late answer, lose nothing acknowledged",
  shortOn: ["MariaDB"],
  async run(database) {
    const proxy = await startDatabaseProxy(database.target);
    const stage = await openStage(database, { url: database.urlThrough(proxy.port) });
    const players = stage.play();
    await players.untilAcknowledged(effects / 10);
    proxy.choose = () => (Math.random() < cutShare ? kinds[Math.floor(Math.random() * kinds.length)] : undefined);
    await players.untilAcknowledged(effects);
    proxy.choose = () => undefined;
    const { cuts } = proxy;
    expect(cuts).toBeGreaterThan(effects / 20);
    proxy.latencyMs = latencyMs;
    await players.untilAcknowledged(slowEffects);
    proxy.latencyMs = 0;
    await stage.reckon(players);
    const outcomes = players.takeOutcomes();
    expect(Object.keys(outcomes).filter((name) => !["ok", "unavailable"].includes(name))).toEqual([]);
    report("connections cut", { cuts, "slowest call ms": players.slowestMs, outcomes });
  },
};
