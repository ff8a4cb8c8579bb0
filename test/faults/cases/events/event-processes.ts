// Processes that announce and deliver, killed and frozen in the middle of their transactions, beside one that goes on.
import type { RowDataPacket } from "mysql2/promise";
import { expect } from "vitest";
import { uuidToBytes } from "../../../../src/kernel/ids.ts";
import { bodyOf } from "../../../e2e/cases/case.ts";
import { restTransport } from "../../../support/transports/rest-transport.ts";
import type { Journal } from "../../support/callers/journal.ts";
import { PartnerReceiver } from "../../support/events/partner-receiver.ts";
import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { Victim } from "../../support/service/victim.ts";
import { openStage, type Stage } from "../../support/stage.ts";
import { until } from "../../support/system.ts";
import type { FaultCase } from "../fault-case.ts";

const repeats = rounds(5, 1);
const effectsBetween = 30;

export const eventProcesses: FaultCase = {
  name: `processes that announce or deliver are killed or frozen ${repeats} times: others go on, and no event is skipped, doubled or lost`,
  shortOn: ["MariaDB"],
  async run(database) {
    const stage = await openStage(database);
    const receivers = [
      await PartnerReceiver.open(stage.service, stage.token),
      await PartnerReceiver.open(stage.service, stage.token),
    ];
    const announcer = await Victim.start(stage, "core", "INSERT INTO events");
    const deliverer = await Victim.start(stage, "deliver", "INSERT INTO webhook_attempts");
    const victims = [announcer, deliverer];
    const journals: Journal[] = [];
    let players = stage.play();
    const release = await stuckWriter(stage, await newSession(stage, players.journal));
    const frozenMs: number[] = [];
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      await players.untilAcknowledged(effectsBetween);
      await announcer.killed();
      journals.push(await players.end());
      await drip(stage, receivers, players.journal, deliverer.killed());
      await Promise.all(victims.map((victim) => victim.start()));
      players = stage.play();
      await players.untilAcknowledged(effectsBetween);
      await announcer.frozen();
      const announcerFrozenAt = performance.now();
      // The others have no more to do than they can.
      const journal = await players.end();
      journals.push(journal);
      await untilDelivered(receivers, await newSession(stage, journal));
      frozenMs.push(performance.now() - announcerFrozenAt);
      await drip(stage, receivers, journal, deliverer.frozen());
      const delivererFrozenAt = performance.now();
      // As long as both stand still, new events come into the log and reach every endpoint.
      await untilDelivered(receivers, await newSession(stage, journal));
      frozenMs.push(performance.now() - delivererFrozenAt);
      for (const victim of victims) victim.thaw();
      players = stage.play();
    }
    await players.untilAcknowledged(effectsBetween);
    await release();
    for (const { entries } of journals) players.journal.entries.push(...entries);
    await stage.reckon(players);
    const expected = [...(await stage.untilLogged()).values()].flat().toSorted();
    for (const receiver of receivers) {
      await receiver.untilKnown(expected.length);
      // Once each: the receiver knows an event by its id.
      expect(receiver.names.toSorted()).toEqual(expected);
    }
    report("announcer and deliverer", { repeats, "ms until others delivered": frozenMs, events: expected.length });
  },
};

/**
 * Makes sessions until the strike has come: each when the one before has reached every receiver, and no process has an
 * endpoint. One that rests is anybody's; one that always has more stays with the process that has it.
 */
async function drip(
  stage: Stage,
  receivers: readonly PartnerReceiver[],
  journal: Journal,
  strike: Promise<void>,
): Promise<void> {
  let isStruck = false;
  const struck = strike.then(() => {
    isStruck = true;
  });
  while (!isStruck) await Promise.race([struck, dripOne(stage, receivers, journal)]);
}

async function dripOne(stage: Stage, receivers: readonly PartnerReceiver[], journal: Journal): Promise<void> {
  await untilDelivered(receivers, await newSession(stage, journal));
  await until("endpoints that rest", () =>
    stage.database.asAdministrator(async (connection) => {
      const [[row]] = await connection.query<RowDataPacket[]>(
        "SELECT COUNT(*) AS claimed FROM webhook_endpoints WHERE partner_id = ? AND claim_id IS NOT NULL",
        [uuidToBytes(stage.partnerId)],
      );
      return row?.claimed === 0 || undefined;
    }),
  );
}

async function untilDelivered(receivers: readonly PartnerReceiver[], sessionId: string): Promise<void> {
  for (const { names } of receivers) {
    await until("an event while others stand still", () => names.includes(`session.created ${sessionId}`) || undefined);
  }
}

/** A writer that holds a session with news, until it is let go. */
async function stuckWriter({ database }: Stage, sessionId: string): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const ended = database.asAdministrator(async (connection) => {
    // Locks the row that it finds, and nothing beside it.
    await connection.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    await connection.query("BEGIN");
    await connection.query("SELECT id FROM sessions WHERE id = ? FOR UPDATE", [uuidToBytes(sessionId)]);
    begun.resolve();
    await released.promise;
    await connection.query("COMMIT");
  });
  await Promise.race([begun.promise, ended]);
  return async () => {
    released.resolve();
    await ended;
  };
}

/** Makes a session of its own, and gives its id. */
async function newSession({ service, token }: Stage, journal: Journal): Promise<string> {
  const entry = journal.begin("somebody else");
  const input = { subject: { externalId: entry.externalId } };
  const transport = restTransport(service.httpUrl);
  const { sessionId } = bodyOf(await transport.createSession({ token, idempotencyKey: entry.key }, input));
  entry.sessionId = sessionId;
  journal.acknowledge(entry, []);
  return sessionId;
}
