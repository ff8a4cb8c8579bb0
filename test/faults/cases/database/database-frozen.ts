// The database stopped in its tracks, and going on as if nothing had happened.
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { openStage } from "../../support/stage.ts";
import type { FaultCase } from "../fault-case.ts";

const frozenMs = rounds(8_000, 2_500);
const effectsBetween = 60;
/** With those of the players fewer than a client may have waiting for long, so that none is refused as too many. */
const impatientCalls = 20;
const deadlineMs = 1_000;
/** More than buffers of a few requests can take, and far less than a queue without a limit would. */
const allowedGrowthMb = 100;
const passing = ["ok", "unavailable", "deadline_exceeded"];

export const databaseFrozen: FaultCase = {
  name: "every call ends in time while the database hangs, and all are served afterwards",
  notOn: ["cluster"],
  shortOn: ["MariaDB"],
  async run(database) {
    const stage = await openStage(database);
    const { service } = stage;
    const players = stage.play();
    await players.untilAcknowledged(5 * effectsBetween);
    players.takeOutcomes();
    const before = service.residentMb();
    database.freeze();
    const frozenAt = performance.now();
    // The database does not go on before all of them have ended.
    const ended = await Promise.all(
      Array.from({ length: impatientCalls }, () => endOfCall(service.httpUrl, stage.token)),
    );
    const endedMs = performance.now() - frozenAt;
    await pause(frozenMs - endedMs);
    const after = service.residentMb();
    database.thaw();
    await players.untilAcknowledged(effectsBetween);
    await service.untilReady();
    await stage.reckon(players);
    const outcomes = players.takeOutcomes();
    const unexpected = (name: string) => !passing.includes(name);
    expect([...ended, ...Object.keys(outcomes)].filter(unexpected)).toEqual([]);
    expect(ended).not.toContain("ok");
    expect(ended).toContain("deadline_exceeded");
    expect(after - before).toBeLessThan(allowedGrowthMb);
    report("database frozen", {
      [`end of calls with a deadline of ${deadlineMs} ms`]: endedMs,
      "slowest other call ms": players.slowestMs,
      "growth MB": after - before,
      outcomes,
    });
  },
};

/** Asks for a session in little time, over Connect, whose clients leave it to the service to keep the deadline. */
async function endOfCall(httpUrl: string, token: string): Promise<string> {
  const response = await fetch(`${httpUrl}/assessment.v1.SessionService/GetSession`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "connect-timeout-ms": String(deadlineMs),
    },
    body: JSON.stringify({ product: "values-bridge", sessionId: crypto.randomUUID() }),
  });
  const { code } = (await response.json()) as { code?: string };
  return response.ok ? "ok" : (code ?? "");
}
