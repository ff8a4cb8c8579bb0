// The service killed under load, and started again.

import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { openStage } from "../../support/stage.ts";
import type { FaultCase } from "../fault-case.ts";

const kills = rounds(30, 3);
const effectsBetween = 60;

export const serviceKilled: FaultCase = {
  name: `what the service acknowledged is there after it was killed ${kills} times`,
  shortOn: ["MariaDB"],
  async run(database) {
    const stage = await openStage(database);
    const players = stage.play();
    let slowestStartMs = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await players.untilAcknowledged(effectsBetween);
      await stage.service.end("SIGKILL");
      const killedAt = performance.now();
      await stage.service.start();
      slowestStartMs = Math.max(slowestStartMs, performance.now() - killedAt);
    }
    await players.untilAcknowledged(effectsBetween);
    await stage.reckon(players);
    const { acknowledged } = players.journal;
    report("service killed", {
      kills,
      acknowledged,
      "slowest restart ms": slowestStartMs,
      outcomes: players.takeOutcomes(),
    });
  },
};
