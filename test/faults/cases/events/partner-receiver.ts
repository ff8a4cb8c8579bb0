// A partner that knows no more than docs/webhooks.md, while the service is killed again and again.

import type { Connection, RowDataPacket } from "mysql2/promise";
import { expect } from "vitest";
import { uuidToBytes } from "../../../../src/database/rows.ts";
import { sequenceFaults } from "../../support/events/event-log.ts";
import { PartnerReceiver } from "../../support/events/partner-receiver.ts";
import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { openStage } from "../../support/stage.ts";
import type { FaultCase } from "../fault-case.ts";

const kills = rounds(10, 1);
const effectsBetween = 60;

export const partnerReceiver: FaultCase = {
  name: `the receiver that docs/webhooks.md shows verifies every delivery, and gets all that happened in its order, while the service is killed ${kills} times`,
  shortOn: ["MariaDB"],
  async run(database) {
    const stage = await openStage(database);
    const receiver = await PartnerReceiver.open(stage.service, stage.token);
    const players = stage.play();
    for (let kill = 0; kill < kills; kill += 1) {
      await players.untilAcknowledged(effectsBetween);
      await receiver.untilKnown(receiver.names.length + effectsBetween / 4);
      await stage.service.end("SIGKILL");
      await stage.service.start();
    }
    await players.untilAcknowledged(effectsBetween);
    await stage.reckon(players);
    const endedAt = performance.now();
    const expected = await stage.untilLogged();
    const count = expected.values().reduce((sum, own) => sum + own.length, 0);
    await receiver.untilKnown(count);
    const lastAfterMs = performance.now() - endedAt;
    expect(sequenceFaults(receiver.names, expected)).toEqual([]);
    // Whatever it could not verify, it would have answered with 401.
    expect(await database.asAdministrator((connection) => refusals(connection, receiver.endpointId))).toEqual([]);
    report("partner's receiver", { kills, events: count, "last one after ms": lastAfterMs });
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
