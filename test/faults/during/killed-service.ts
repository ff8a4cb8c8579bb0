// A service that is killed while a partner receives webhooks.
import type { RowDataPacket } from "mysql2/promise";
import { expect } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import type { Scene } from "../fault.ts";
import { sequenceFaults } from "../support/events/event-log.ts";

/** Of so many kills one waits until webhooks come again. */
const killsOfDelivery = 10;

export async function killService({ stage: { service }, receivers: [receiver] }: Scene, turn: number): Promise<void> {
  // Deliveries of a killed process wait for its claims to end, while callers go on.
  if (turn % killsOfDelivery === 0) await receiver?.untilKnown(receiver.names.length + 15);
  await service.end("SIGKILL");
  await service.start();
}

/** Expects that the receiver got the events of each session in their order, and accepted each of them. */
export async function expectAcceptedInOrder({ stage, receivers: [receiver] }: Scene): Promise<void> {
  expect(sequenceFaults(receiver?.names ?? [], await stage.untilLogged())).toEqual([]);
  // What it cannot verify, it answers with 401.
  const sql = "SELECT status FROM webhook_attempts WHERE endpoint_id = ? AND status <> 204";
  const endpointId = uuidToBytes(receiver?.endpointId ?? "");
  const [rows] = await stage.database.asAdministrator((connection) =>
    connection.query<RowDataPacket[]>(sql, [endpointId]),
  );
  expect(rows).toEqual([]);
}
