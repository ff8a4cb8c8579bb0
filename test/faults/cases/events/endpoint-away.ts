// An endpoint that is away for days, which pass by moving all times of the database back.
import type { ResultSetHeader, RowDataPacket } from "mysql2/promise";
import { expect } from "vitest";
import { uuidToBytes } from "../../../../src/database/statement.ts";
import { bodyOf } from "../../../e2e/cases/case.ts";
import { restTransport } from "../../../support/transports/rest-transport.ts";
import type { BreakableDatabase } from "../../support/database/database.ts";
import { sequenceFaults } from "../../support/events/event-log.ts";
import { PartnerReceiver } from "../../support/events/partner-receiver.ts";
import { report } from "../../support/run/report.ts";
import { openStage } from "../../support/stage.ts";
import { until } from "../../support/system.ts";
import type { FaultCase } from "../fault-case.ts";

const effects = 60;
const downAfter = 3;
const daysAway = 4;
const daysUntilDisabled = 8;

export const endpointAway: FaultCase = {
  name: `an endpoint that was away for days gets all that happened, in order, also after it was disabled; meanwhile nothing piles up for it`,
  shortOn: [],
  async run(database) {
    const stage = await openStage(database);
    const receiver = await PartnerReceiver.open(stage.service, stage.token);
    const { endpointId } = receiver;
    const endpoint = endpointIn(database, endpointId);
    const players = stage.play();
    await players.untilAcknowledged(effects);
    await receiver.stop();
    await players.untilAcknowledged(effects);
    await until("an endpoint that is down", async () => (await endpoint.read()).failures >= downAfter || undefined);
    await endpoint.passDay();
    // Not one of these tries takes the cursor on.
    const down = await endpoint.read();
    for (let day = 1; day < daysAway; day += 1) await endpoint.passDay();
    await players.untilAcknowledged(effects);
    const { sequence, parked } = await endpoint.read();
    expect({ sequence, parked }).toEqual({ sequence: down.sequence, parked: down.parked });
    await receiver.start();
    await endpoint.passDay();
    await players.untilAcknowledged(effects);
    await until("an endpoint that is up", async () => (await endpoint.read()).failures === 0 || undefined);

    await receiver.stop();
    await players.untilAcknowledged(effects);
    await until("an endpoint that is down", async () => (await endpoint.read()).failures >= downAfter || undefined);
    for (let day = 0; day < daysUntilDisabled; day += 1) await endpoint.passDay();
    expect(await endpoint.read()).toMatchObject({ reason: "failing" });
    await receiver.start();
    const enable = { endpointId, enabled: true };
    bodyOf(
      await restTransport(stage.service.httpUrl).webhooks({ token: stage.token }, "updateWebhookEndpoint", enable),
    );
    await stage.reckon(players);
    const expected = await stage.untilLogged();
    const count = expected.values().reduce((sum, own) => sum + own.length, 0);
    const known = () => [...new Set(receiver.names)];
    await until("webhooks", async () => {
      // Parked events are tried once more in their own time: it passes.
      await endpoint.hurry();
      return known().length >= count || undefined;
    });
    expect(sequenceFaults(known(), expected)).toEqual([]);
    report("endpoint away", { days: daysAway, events: count, "parked meanwhile": parked });
  },
};

/** The row of an endpoint. */
function endpointIn(database: BreakableDatabase, endpointId: string) {
  const id = uuidToBytes(endpointId);
  const read = () =>
    database.asAdministrator(async (connection) => {
      const [[row]] = await connection.query<RowDataPacket[]>(
        `SELECT failures, sequence, disabled_reason AS reason,
           (SELECT COUNT(*) FROM webhook_deliveries WHERE endpoint_id = id AND claim_id IS NOT NULL) AS claimed,
           (SELECT COUNT(*) FROM webhook_deliveries WHERE endpoint_id = id AND dead_at IS NULL) AS parked
         FROM webhook_endpoints WHERE id = ?`,
        [id],
      );
      if (row === undefined) throw new Error("the endpoint is gone");
      return row as { failures: number; sequence: number; reason: string | null; claimed: number; parked: number };
    });
  const hurry = () =>
    database.asAdministrator((connection) =>
      connection.query(
        "UPDATE webhook_deliveries SET next_at = NOW(3) WHERE endpoint_id = ? AND next_at IS NOT NULL AND claim_id IS NULL",
        [id],
      ),
    );
  return {
    read,
    hurry,
    /** Lets a day pass, and the try that is due then. */
    async passDay(): Promise<void> {
      const { failures, reason } = await read();
      if (reason !== null) return;
      await until("an endpoint that nobody works on", () =>
        database.asAdministrator(async (connection) => {
          const [{ affectedRows }] = await connection.query<ResultSetHeader>(
            `UPDATE webhook_endpoints SET due_at = NOW(3), rest_until = NULL, failing_since = failing_since - INTERVAL 1 DAY
             WHERE id = ? AND NOT EXISTS
               (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = ? AND claim_id IS NOT NULL)`,
            [id, id],
          );
          return affectedRows === 1 || undefined;
        }),
      );
      await until("a probe", async () => {
        const row = await read();
        if (row.failures === 0 || row.reason !== null) return true;
        return (row.failures > failures && row.claimed === 0) || undefined;
      });
    },
  };
}
