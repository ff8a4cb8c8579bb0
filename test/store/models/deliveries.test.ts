// Deliveries of an endpoint over sequences of what can happen to them, by two processes that claim and send them.
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import type { RowDataPacket } from "mysql2/promise";
import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/statement.ts";
import type { SentDelivery } from "../../../src/domain/webhooks/deliveries.ts";
import { downAfter } from "../../../src/domain/webhooks/endpoint.ts";
import { holds, step } from "../../support/models.ts";
import { worldOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();
/** The clock of those who deliver is ahead, so that no retry is due before two days have passed. */
const aheadMs = 30 * 60_000;
const maxConcurrency = 4;

const world = await worldOfFile();

interface Delivery {
  attempts: number;
  /** To be sent now, later, after an earlier one of its session, or never again; or being sent. */
  when: "now" | "later" | "waiting" | "sending" | "dead";
  /** Whose claim it is: what others tell of it changes nothing. */
  claim?: Held | undefined;
  /** Its partner wants it once more although somebody has claimed it. */
  isRequestedAgain?: boolean;
}

interface Model {
  /** The last event that has a delivery, or needs none any more. */
  sequence: number;
  readonly deliveries: Map<number, Delivery>;
  failures: number;
  hasAnswered: boolean;
  isResting: boolean;
  /** Grows with each change of the endpoint. */
  revision: number;
  /** Whether each attempt was taken. */
  readonly attempts: boolean[];
}

interface Held {
  readonly sequence: number;
  readonly sent: Omit<SentDelivery, "at" | "result">;
  readonly revision: number;
}

interface Real {
  readonly endpoint: { readonly id: string; readonly partnerId: string };
  /** Sessions of the events, by sequence from 1. */
  readonly events: readonly { readonly resourceId: string; readonly type: "session.created" | "session.started" }[];
  /** What each process has claimed and not told of. */
  readonly held: readonly Held[][];
}

const eventAt = ({ events }: Real, sequence: number) => {
  const event = events[sequence - 1];
  if (event === undefined) throw new Error(`there is no event ${sequence}`);
  return event;
};
const sessionOf = (real: Real, sequence: number) => eventAt(real, sequence).resourceId;
const countSending = ({ deliveries }: Model) =>
  [...deliveries.values()].filter(({ when }) => when === "sending").length;
const maxConcurrent = ({ failures, hasAnswered }: Model) => (failures === 0 && hasAnswered ? maxConcurrency : 1);
/** Sequences of deliveries of a session that are as said. */
const ofSession = ({ deliveries }: Model, real: Real, session: string, is: (delivery: Delivery) => boolean) =>
  [...deliveries].filter(([other, each]) => sessionOf(real, other) === session && is(each)).map(([other]) => other);

/** Sessions of which something may be sent, each with what that is. */
function sendable(model: Model, real: Real): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const session of new Set(real.events.map(({ resourceId }) => resourceId))) {
    if (ofSession(model, real, session, ({ when }) => when === "sending").length > 0) continue;
    const due = ofSession(model, real, session, ({ when }) => when === "now");
    const isOpen = ofSession(model, real, session, ({ when }) => when !== "dead").length > 0;
    const fresh = real.events.findIndex(
      ({ resourceId }, index) => index + 1 > model.sequence && resourceId === session,
    );
    const all = isOpen || fresh < 0 ? due : [fresh + 1];
    if (all.length > 0) found.set(session, all);
  }
  return found;
}

/** The next delivery of the session that waits may go. */
function free(model: Model, real: Real, sequence: number): void {
  const waiting = ofSession(model, real, sessionOf(real, sequence), ({ when }) => when === "waiting");
  const next = model.deliveries.get(Math.min(...waiting));
  if (next !== undefined) next.when = "now";
}

async function agree(model: Model, real: Real): Promise<void> {
  const { id, partnerId } = real.endpoint;
  const { webhooks } = world.stores;
  const [rows] = await world.connection.query<RowDataPacket[]>(
    `SELECT sequence, attempts, CASE WHEN dead_at IS NOT NULL THEN 'dead' WHEN next_at IS NULL THEN 'waiting'
      WHEN next_at <= NOW(3) THEN 'now' WHEN claim_id IS NULL THEN 'later' ELSE 'sending' END AS state
      FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY sequence`,
    [uuidToBytes(id)],
  );
  expect(rows.map(({ sequence, attempts, state }) => [sequence, attempts, state])).toEqual(
    [...model.deliveries]
      .toSorted(([one], [other]) => one - other)
      .map(([sequence, { attempts, when }]) => [sequence, attempts, when]),
  );
  const attemptRows = await webhooks.listAttempts(real.endpoint, Number.MAX_SAFE_INTEGER, 1_000, signal);
  expect(attemptRows.map(({ status }) => status === 204).toReversed()).toEqual(model.attempts);
  const { claimedSequence, failures } = (await webhooks.findEndpoint(partnerId, id, signal)) ?? {};
  expect([claimedSequence, failures]).toEqual([model.sequence, model.failures]);
}

/** When the row of an endpoint says that it is to be looked at. */
async function dueOf({ endpoint: { id } }: Real): Promise<string> {
  const [[row]] = await world.connection.query<RowDataPacket[]>(
    `SELECT CASE WHEN due_at IS NULL THEN 'never' WHEN due_at <= NOW(3) THEN 'now' ELSE 'later' END AS due
      FROM webhook_endpoints WHERE id = ?`,
    [uuidToBytes(id)],
  );
  return String(row?.due);
}

function dueIn(model: Model, real: Real): string {
  if (model.isResting || countSending(model) >= maxConcurrent(model)) return "later";
  const times = [...model.deliveries.values()].map(({ when }) => when);
  // One whose session is being sent can go no sooner than that claim ends.
  const isBeingSent = (sequence: number) =>
    ofSession(model, real, sessionOf(real, sequence), ({ when }) => when === "sending").length > 0;
  const canGo = [...model.deliveries].some(([sequence, { when }]) => when === "now" && !isBeingSent(sequence));
  if (model.sequence < real.events.length || canGo) return "now";
  return times.includes("later") || times.includes("sending") ? "later" : "never";
}

/** A process tells what became of what it sent, and claims more. */
async function takeTurn(model: Model, real: Real, who: number, told: readonly [Held, number][], room: number) {
  const sent = told.map(([{ sent: delivery }, status]) => {
    const result = { status, error: null, tookMs: 3, retryAfterSeconds: null };
    return { ...delivery, at: new Date(), result };
  });
  await world.connection.query("UPDATE webhook_endpoints SET due_at = NOW(3) WHERE id = ?", [
    uuidToBytes(real.endpoint.id),
  ]);
  const { claims, busy } = await world.stores.deliveries.settleAndClaim(
    [{ endpoint: real.endpoint, sentDeliveries: sent, room }],
    { now: Date.now() + aheadMs, isTrusted: true, monotonic: () => 0, random: randomBytes },
    signal,
  );
  expect(busy).toEqual(new Set());
  for (const [held, status] of told) settle(model, real, held, status);
  const claimed = claims.flatMap((claim) =>
    claim.deliveries.map((each) => ({ sequence: each.event.sequence, sent: { ...each, claim } })),
  );
  const may = sendable(model, real);
  const most = model.isResting ? 0 : Math.max(0, Math.min(room, maxConcurrent(model) - countSending(model), may.size));
  expect(claimed).toHaveLength(most);
  for (const { sequence, sent: delivery } of claimed) {
    const session = sessionOf(real, sequence);
    expect(may.get(session)).toContain(sequence);
    may.delete(session);
    // One that died before its turn in the log came begins anew.
    const known = model.deliveries.get(sequence);
    expect(delivery.attempts).toBe(known === undefined || known.when === "dead" ? 0 : known.attempts);
    const held = { sequence, sent: delivery, revision: model.revision };
    model.deliveries.set(sequence, { attempts: delivery.attempts, when: "sending", claim: held });
    real.held[who]?.push(held);
  }
  const reached = (await world.stores.webhooks.findEndpoint(real.endpoint.partnerId, real.endpoint.id, signal))
    ?.claimedSequence;
  // Whatever was passed over without being claimed waits for an earlier one.
  for (; model.sequence < (reached ?? 0); model.sequence += 1) {
    const next = model.sequence + 1;
    const known = model.deliveries.get(next);
    if (known !== undefined && known.when !== "dead") continue;
    expect(ofSession(model, real, sessionOf(real, next), ({ when }) => when !== "dead")).not.toEqual([]);
    model.deliveries.set(next, { attempts: 0, when: "waiting" });
  }
  expect(await dueOf(real)).toBe(dueIn(model, real));
  await agree(model, real);
}

function settle(model: Model, real: Real, held: Held, status: number): void {
  const { sequence, sent, revision } = held;
  const delivery = model.deliveries.get(sequence);
  if (delivery?.isRequestedAgain || delivery?.claim === held) model.attempts.push(status === 204);
  if (delivery?.isRequestedAgain) model.deliveries.set(sequence, { attempts: 0, when: "now" });
  if (delivery?.claim !== held) return;
  delivery.claim = undefined;
  const isDown = model.failures >= downAfter;
  const isNews = revision === model.revision;
  if (isNews) model.hasAnswered = true;
  if (status === 204) {
    model.deliveries.delete(sequence);
    free(model, real, sequence);
    if (!isNews) return;
    if (isDown) model.isResting = false;
    model.failures = 0;
    return;
  }
  const isLast = !isDown && sent.attempts === 9;
  if (isDown) delivery.when = "now";
  else Object.assign(delivery, { attempts: sent.attempts + 1, when: isLast ? "dead" : "later" });
  if (isLast) free(model, real, sequence);
  if (!isNews || (sent.attempts > 0 && !isDown)) return;
  model.failures += 1;
  if (model.failures >= downAfter) model.isResting = true;
}

const someProcess = fc.nat(1);
const tells: fc.Arbitrary<fc.AsyncCommand<Model, Real>> = fc
  .record({ who: someProcess, isTaken: fc.boolean(), all: fc.boolean(), room: fc.nat(4) })
  .map(({ who, isTaken, all, room }) =>
    step(
      `process ${who} tells of ${all ? "all" : "one"}, ${isTaken ? "taken" : "refused"}, and claims ${room}`,
      async (model, real) => {
        const held = real.held[who]?.splice(0, all ? 10 : 1) ?? [];
        await takeTurn(
          model,
          real,
          who,
          held.map((each) => [each, isTaken ? 204 : 500]),
          room,
        );
      },
    ),
  );

const steps: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] = [
  tells,
  tells,
  tells,
  fc
    .record({ who: someProcess, room: fc.integer({ min: 1, max: 5 }) })
    .map(({ who, room }) =>
      step(`process ${who} claims ${room}`, (model, real) => takeTurn(model, real, who, [], room)),
    ),
  fc.integer({ min: 1, max: 5 }).map((sequence) =>
    step(`the partner wants event ${sequence} once more`, async (model, real) => {
      const named = { ...eventAt(real, sequence), occurrence: 1 };
      expect(await world.stores.webhooks.redeliver(real.endpoint, [named], signal)).toBe(1);
      const before = model.deliveries.get(sequence);
      const isClaimed = before?.claim !== undefined || before?.isRequestedAgain === true;
      const when = isClaimed ? (before?.when ?? "now") : "now";
      model.deliveries.set(sequence, { attempts: 0, when, isRequestedAgain: isClaimed });
      // All that waits for its time is tried now.
      for (const each of model.deliveries.values()) if (each.when === "later") each.when = "now";
      const back = { isResting: false, failures: 0, hasAnswered: false, revision: model.revision + 1 };
      Object.assign(model, back);
      expect(await dueOf(real)).toBe("now");
      await agree(model, real);
    }),
  ),
  fc.constant(
    step("an event that is not being sent has failed nine times", async (model, real) => {
      const isPending = ({ when, claim }: Delivery) => when === "later" || (when === "now" && claim === undefined);
      const [found] = [...model.deliveries].filter(([, each]) => isPending(each));
      if (found === undefined) return;
      found[1].attempts = 9;
      await world.connection.query(
        "UPDATE webhook_deliveries SET attempts = 9 WHERE endpoint_id = ? AND sequence = ?",
        [uuidToBytes(real.endpoint.id), found[0]],
      );
    }),
  ),
  fc.constant(
    step("two days pass", async (model, real) => {
      const id = uuidToBytes(real.endpoint.id);
      await world.connection.query(
        "UPDATE webhook_deliveries SET next_at = next_at - INTERVAL 2 DAY WHERE endpoint_id = ?",
        [id],
      );
      await world.connection.query(
        "UPDATE webhook_endpoints SET due_at = due_at - INTERVAL 2 DAY, rest_until = rest_until - INTERVAL 2 DAY WHERE id = ?",
        [id],
      );
      // What was claimed is another's if anybody claims it now.
      for (const each of model.deliveries.values()) {
        if (each.when === "later" || each.when === "sending") each.when = "now";
      }
      model.isResting = false;
      await agree(model, real);
    }),
  ),
];

test("one process at a time sends an event, after the earlier ones of its session, until it is accepted or dead", async () => {
  await holds<Model, Real>(
    steps,
    async () => {
      const partnerId = await world.addPartner();
      const { endpoint } = await world.addEndpoint(partnerId, "http://127.0.0.1:9/hooks");
      for (const isStarted of [true, true, false]) await world.addSession(partnerId, { isStarted });
      await world.sequence();
      const { events } = await world.stores.events.listEvents(partnerId, 0, 10, signal);
      expect(events).toHaveLength(5);
      const model: Model = {
        ...{ sequence: 0, deliveries: new Map(), failures: 0, hasAnswered: false, isResting: false, revision: 0 },
        attempts: [],
      };
      return { model, real: { endpoint, events: events as Real["events"], held: [[], []] } };
    },
    { maxCommands: 24, runs: 40 },
  );
});
