// Processes that announce and deliver, killed and frozen in the middle of their transactions, beside one that goes on.
import type { RowDataPacket } from "mysql2/promise";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { bodyOf } from "../../e2e/cases/case.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { until } from "../../support/until.ts";
import type { Scene } from "../fault.ts";
import type { PartnerReceiver } from "../support/events/partner-receiver.ts";
import { rounds } from "../support/run/means.ts";
import { Victim } from "../support/service/victim.ts";
import type { Stage } from "../support/stage.ts";

export const repeats = rounds(5, 1);
const effectsBetween = 30;

/** Kills and freezes a process that announces and one that delivers, beside a session whose writer stands still. */
export async function strikeEventProcesses({ stage, receivers }: Scene): Promise<object> {
  const announcer = await Victim.start(stage, "core", "INSERT INTO events");
  const deliverer = await Victim.start(stage, "deliver", "INSERT INTO webhook_attempts");
  const victims = [announcer, deliverer];
  const release = await holdSession(stage, await newSession(stage));
  const frozenMs: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    await stage.players.untilAcknowledged(effectsBetween);
    await announcer.killed();
    await stage.players.end();
    await drip(stage, receivers, deliverer.killed());
    await Promise.all(victims.map((victim) => victim.start()));
    await stage.play().untilAcknowledged(effectsBetween);
    await announcer.frozen();
    const announcerFrozenAt = performance.now();
    // The others have no more to do than they can.
    await stage.players.end();
    await untilDelivered(receivers, await newSession(stage));
    frozenMs.push(performance.now() - announcerFrozenAt);
    await drip(stage, receivers, deliverer.frozen());
    const delivererFrozenAt = performance.now();
    // As long as both stand still, new events come into the log and reach every endpoint.
    await untilDelivered(receivers, await newSession(stage));
    frozenMs.push(performance.now() - delivererFrozenAt);
    for (const victim of victims) victim.thaw();
    stage.play();
  }
  await stage.players.untilAcknowledged(effectsBetween);
  await release();
  return { "ms until others delivered": frozenMs };
}

/**
 * Makes sessions until the strike has come: each when the one before has reached every receiver, and no process has an
 * endpoint. One that rests is anybody's; one that always has more stays with the process that has it.
 */
async function drip(stage: Stage, receivers: readonly PartnerReceiver[], strike: Promise<void>): Promise<void> {
  let isStruck = false;
  const struck = strike.then(() => {
    isStruck = true;
  });
  while (!isStruck) await Promise.race([struck, dripOne(stage, receivers)]);
}

async function dripOne(stage: Stage, receivers: readonly PartnerReceiver[]): Promise<void> {
  await untilDelivered(receivers, await newSession(stage));
  await until(() =>
    stage.database.asAdministrator(async (connection) => {
      const [[row]] = await connection.query<RowDataPacket[]>(
        "SELECT COUNT(*) AS claimed FROM webhook_endpoints WHERE partner_id = ? AND claim_id IS NOT NULL",
        [uuidToBytes(stage.partnerId)],
      );
      return row?.claimed === 0;
    }),
  );
}

async function untilDelivered(receivers: readonly PartnerReceiver[], sessionId: string): Promise<void> {
  for (const { names } of receivers) {
    await until(() => names.includes(`session.created ${sessionId}`));
  }
}

/** Locks a session that has news, until it is released. */
async function holdSession({ database }: Stage, sessionId: string): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<void>();
  const hold = Promise.withResolvers<void>();
  const ended = database.asAdministrator(async (connection) => {
    // Locks the row that it finds, and nothing beside it.
    await connection.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    await connection.query("BEGIN");
    await connection.query("SELECT id FROM sessions WHERE id = ? FOR UPDATE", [uuidToBytes(sessionId)]);
    hold.resolve();
    await release.promise;
    await connection.query("COMMIT");
  });
  await Promise.race([hold.promise, ended]);
  return async () => {
    release.resolve();
    await ended;
  };
}

/** Makes a session of its own, and gives its id. */
async function newSession({ service, token, players: { journal } }: Stage): Promise<string> {
  const entry = journal.begin("somebody else");
  const input = { subject: { externalId: entry.externalId } };
  const transport = restTransport(service.httpUrl);
  const { sessionId } = bodyOf(await transport.createSession({ token, idempotencyKey: entry.key }, input));
  entry.sessionId = sessionId;
  journal.acknowledge(entry, []);
  return sessionId;
}
