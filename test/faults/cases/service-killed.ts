// The service killed under load, and started again, while a partner who knows no more than docs/webhooks.md receives.
import type { Connection, RowDataPacket } from "mysql2/promise";
import { expect } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { sequenceFaults } from "../support/events/event-log.ts";
import { PartnerReceiver } from "../support/events/partner-receiver.ts";
import { report } from "../support/run/report.ts";
import { rounds } from "../support/run/rounds.ts";
import { openStage } from "../support/stage.ts";
import type { FaultCase } from "./fault-case.ts";

const kills = rounds(30, 3);
const effectsBetween = 60;
/** Of so many kills one waits until webhooks come again. */
const killsOfDelivery = 10;

export const serviceKilled: FaultCase = {
  name: `nothing acknowledged is lost when the service is killed ${kills} times, and the receiver of docs/webhooks.md verifies every delivery and gets all events in order`,
  shortOn: ["MariaDB"],
  async run(database) {
    const stage = await openStage(database);
    const receiver = await PartnerReceiver.open(stage.service, stage.token);
    const players = stage.play();
    let slowestStartMs = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await players.untilAcknowledged(effectsBetween);
      // Deliveries of a killed process wait for its claims to end, while callers go on.
      if (kill % killsOfDelivery === 0) await receiver.untilKnown(receiver.names.length + effectsBetween / 4);
      await stage.service.end("SIGKILL");
      const killedAt = performance.now();
      await stage.service.start();
      slowestStartMs = Math.max(slowestStartMs, performance.now() - killedAt);
    }
    await players.untilAcknowledged(effectsBetween);
    await stage.reckon(players);
    const expected = await stage.untilLogged();
    await receiver.untilKnown(expected.values().reduce((sum, own) => sum + own.length, 0));
    expect(sequenceFaults(receiver.names, expected)).toEqual([]);
    // Whatever it could not verify, it would have answered with 401.
    expect(await database.asAdministrator((connection) => refusals(connection, receiver.endpointId))).toEqual([]);
    const { acknowledged } = players.journal;
    const outcomes = players.takeOutcomes();
    report("service killed", { kills, acknowledged, "slowest restart ms": slowestStartMs, outcomes });
  },
};

/** Answers of the receiver other than that it took the event. */
async function refusals(connection: Connection, endpointId: string): Promise<RowDataPacket[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    "SELECT status, COUNT(*) AS times FROM webhook_attempts WHERE endpoint_id = ? AND status <> 204 GROUP BY status",
    [uuidToBytes(endpointId)],
  );
  return rows;
}
