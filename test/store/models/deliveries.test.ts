// Deliveries of an endpoint over sequences of what can happen to them, by two processes that claim and send them.
import fc from "fast-check";
import type { RowDataPacket } from "mysql2/promise";
import { expect, test } from "vitest";
import type { Claim, ClaimedDelivery } from "../../../src/domain/webhooks/deliveries.ts";
import { downAfter } from "../../../src/domain/webhooks/endpoint.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { someRecording } from "../../support/builders.ts";
import { signal } from "../../support/deadline.ts";
import { holds, step } from "../../support/models.ts";
import { worldOfFile } from "../../support/of-file.ts";

/** The clock of those who deliver is ahead, so that no retry is due before two days have passed. */
const aheadMs = 30 * 60_000;
/** Due deliveries of an endpoint that are read at a time. */
const maxRetries = 5;

const world = await worldOfFile();

/** A row of a delivery: to be sent now, later, after an earlier one of its session, or never again. Requested again, it is another. */
interface Row {
  attempts: number;
  when: "now" | "later" | "waiting" | "dead";
}

interface Held {
  readonly claim: Claim;
  /** The rows that its deliveries had. */
  readonly rows: ReadonlyMap<ClaimedDelivery, Row | undefined>;
  /** Sequences before its end that wait for others of their sessions, and have no row of the claim yet. */
  readonly waiting: readonly number[];
  readonly revision: number;
}

interface Model {
  /** Events up to here were accepted, or have rows. */
  sequence: number;
  readonly rows: Map<number, Row>;
  /** The last claim, until it is settled. */
  claim: Held | undefined;
  /** Whether it has run out. */
  isOver: boolean;
  failures: number;
  hasAnswered: boolean;
  isResting: boolean;
  /** Grows with each change of the endpoint. */
  revision: number;
  /** Whether each attempt was accepted. */
  readonly attempts: boolean[];
  /** Sequences that the receiver has accepted, each time. */
  readonly accepted: number[];
  /** Sequences that it may get again, or too early: requested by the partner, or claimed by a process that took too long. */
  readonly excused: Set<number>;
}

interface Real {
  readonly endpoint: { readonly id: string; readonly partnerId: string };
  /** Sessions of the events, by sequence from 1. */
  readonly events: readonly { readonly resourceId: string; readonly type: "session.created" | "session.started" }[];
  /** Claims of each process that it has not settled. */
  readonly held: readonly Held[][];
}

const eventAt = ({ events }: Real, sequence: number) => {
  const event = events[sequence - 1];
  if (event === undefined) throw new Error(`there is no event ${sequence}`);
  return event;
};
const sessionOf = (real: Real, sequence: number) => eventAt(real, sequence).resourceId;
const isOpen = (row: Row | undefined) => row !== undefined && row.when !== "dead";
/** Sequences of open rows of the session, ascending. */
const openOf = ({ rows }: Model, real: Real, session: string) =>
  [...rows.keys()].filter((other) => sessionOf(real, other) === session && isOpen(rows.get(other))).sort();

/** Gives events rows that wait, and lets the first open delivery of each of the sessions go. */
function addRows(model: Model, real: Real, added: readonly number[], ended: readonly number[] = []): void {
  for (const sequence of added) {
    if (!isOpen(model.rows.get(sequence))) model.rows.set(sequence, { attempts: 0, when: "waiting" });
  }
  for (const sequence of [...added, ...ended]) {
    const [first = 0] = openOf(model, real, sessionOf(real, sequence));
    const row = model.rows.get(first);
    if (row?.when === "waiting") row.when = "now";
  }
}

async function agree(model: Model, real: Real): Promise<void> {
  const { id, partnerId } = real.endpoint;
  const { webhooks } = world.stores;
  const [rows] = await world.connection.query<RowDataPacket[]>(
    `SELECT sequence, attempts, CASE WHEN dead_at IS NOT NULL THEN 'dead' WHEN next_at IS NULL THEN 'waiting'
      WHEN next_at <= NOW(3) THEN 'now' ELSE 'later' END AS state
      FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY sequence`,
    [uuidToBytes(id)],
  );
  expect(rows.map(({ sequence, attempts, state }) => [sequence, attempts, state])).toEqual(
    [...model.rows]
      .toSorted(([one], [other]) => one - other)
      .map(([sequence, { attempts, when }]) => [sequence, attempts, when]),
  );
  const attemptRows = await webhooks.listAttempts(real.endpoint, Number.MAX_SAFE_INTEGER, 1_000, signal);
  expect(attemptRows.map(({ status }) => status === 204).toReversed()).toEqual(model.attempts);
  const endpoint = await webhooks.findEndpoint(partnerId, id, signal);
  expect([endpoint?.sequence, endpoint?.failures]).toEqual([model.sequence, model.failures]);
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

/** What became of a delivery: sent and accepted, sent and refused, or not sent. */
type Fate = "accepted" | "refused" | "unsent";

/** What the receiver accepts comes once, and after all earlier events of its session that are not given up. */
function accept(model: Model, real: Real, sequence: number): void {
  const { accepted, excused, rows } = model;
  const missing = real.events.flatMap(({ resourceId }, index) => {
    const earlier = index + 1;
    const isMissing = ![...accepted, ...excused].includes(earlier) && rows.get(earlier)?.when !== "dead";
    return earlier < sequence && resourceId === sessionOf(real, sequence) && isMissing ? [earlier] : [];
  });
  if (!excused.has(sequence)) expect([accepted.filter((other) => other === sequence), missing]).toEqual([[], []]);
  accepted.push(sequence);
}

/** A process settles its claim, if it had one, and claims more. */
async function takeTurn(
  model: Model,
  real: Real,
  who: number,
  held: Held | undefined,
  fates: readonly Fate[],
  connections: number,
) {
  const { endpoint } = real;
  const told = held?.claim.deliveries.map((delivery, index) => [delivery, fates[index] ?? "unsent"] as const) ?? [];
  const stopped = new Set<string>();
  // In a session nothing is sent after what was not accepted.
  const sent = told.flatMap(([delivery, fate]) => {
    const { resourceId } = delivery.event;
    const isSent = fate !== "unsent" && !stopped.has(resourceId);
    if (fate !== "accepted") stopped.add(resourceId);
    const result = { status: fate === "accepted" ? 204 : 500, error: null, tookMs: 3, retryAfterSeconds: null };
    return isSent ? [{ delivery, at: new Date(), result }] : [];
  });
  await world.connection.query("UPDATE webhook_endpoints SET due_at = NOW(3) WHERE id = ?", [uuidToBytes(endpoint.id)]);
  const { claims, lockedIds } = await world.stores.deliveries.settleAndClaim(
    [{ endpoint, endedClaim: held && { claim: held.claim, results: sent }, connections }],
    { now: Date.now() + aheadMs, isTrusted: true, drawFraction: Math.random },
    signal,
  );
  expect(lockedIds).toEqual(new Set());
  const isOwn = held !== undefined && model.claim === held;
  if (!isOwn) for (const { event } of held?.claim.deliveries ?? []) model.excused.add(event.sequence);
  for (const { delivery, result } of sent) if (result.status === 204) accept(model, real, delivery.event.sequence);
  if (isOwn) settle(model, real, held, new Map(sent.map(({ delivery, result }) => [delivery, result.status === 204])));
  const isOthers = !isOwn && model.claim !== undefined && !model.isOver;
  if (isOthers) expect(claims).toEqual([]);
  else await claim(model, real, who, claims, connections);
  await agree(model, real);
}

/** What was claimed is what may be sent, and as much of it as may be. */
async function claim(
  model: Model,
  real: Real,
  who: number,
  [found]: readonly Claim[],
  connections: number,
): Promise<void> {
  model.claim = undefined;
  const isNone = connections === 0 || model.isResting;
  const width = model.failures === 0 && model.hasAnswered ? 4 : 1;
  const due = [...model.rows].filter(([, { when }]) => when === "now");
  const later = real.events.map((_, index) => index + 1).filter((sequence) => sequence > model.sequence);
  const isBlocked = (sequence: number) =>
    model.rows.has(sequence) || openOf(model, real, sessionOf(real, sequence)).length > 0;
  const fresh = later.filter((sequence) => !isBlocked(sequence));
  const deliveries = found?.deliveries ?? [];
  expect(deliveries).toHaveLength(isNone ? 0 : Math.min(due.length, maxRetries) + fresh.length);
  const rows = new Map<ClaimedDelivery, Row | undefined>();
  for (const delivery of deliveries) {
    const { sequence } = delivery.event;
    const row = delivery.dueAt === null ? undefined : model.rows.get(sequence);
    rows.set(delivery, row);
    if (delivery.dueAt === null) expect(fresh).toContain(sequence);
    else expect(row?.when).toBe("now");
    expect(delivery.attempts).toBe(row?.attempts ?? 0);
  }
  const ofLog = deliveries.filter(({ dueAt }) => dueAt === null).map(({ event }) => event.sequence);
  expect(ofLog).toEqual(isNone ? [] : fresh);
  const end = real.events.length;
  const blocked = isNone ? [] : later.filter(isBlocked);
  if (found === undefined && !isNone) {
    model.sequence = end;
    addRows(model, real, blocked);
  }
  if (found !== undefined) {
    expect([found.concurrency, found.end]).toEqual([Math.min(connections, width, deliveries.length), end]);
    model.claim = { claim: found, rows, waiting: blocked, revision: model.revision };
    model.isOver = false;
    real.held[who]?.push(model.claim);
  }
  const times = [...model.rows.values()].map(({ when }) => when);
  const isMore = due.length > 0 || blocked.length > 0 || (connections === 0 && later.length > 0);
  const rests = model.isResting || found !== undefined;
  expect(await dueOf(real)).toBe(rests ? "later" : isMore ? "now" : times.includes("later") ? "later" : "never");
}

function settle(
  model: Model,
  real: Real,
  { claim: { deliveries, end }, rows, waiting, revision }: Held,
  sent: Map<ClaimedDelivery, boolean>,
) {
  model.claim = undefined;
  const ended: number[] = [];
  // What gets a row now and had one is not sent once more, even if its delivery has ended.
  const openBefore = new Set([...model.rows.keys()].filter((sequence) => isOpen(model.rows.get(sequence))));
  for (const [delivery, isAccepted] of sent) {
    const { event, attempts } = delivery;
    const { sequence } = event;
    const row = rows.get(delivery);
    model.attempts.push(isAccepted);
    const isDown = model.failures >= downAfter;
    const isCurrent = model.rows.get(sequence) === row;
    const isLast = !isDown && attempts === 9;
    if (isCurrent && isAccepted) model.rows.delete(sequence);
    else if (isCurrent) {
      const when = isDown ? "now" : isLast ? "dead" : "later";
      const next = { attempts: isDown ? attempts : attempts + 1, when } as const;
      if (row === undefined) model.rows.set(sequence, next);
      else Object.assign(row, next);
    }
    if ((isAccepted && row !== undefined) || (!isAccepted && isLast)) ended.push(sequence);
    if (revision !== model.revision) continue;
    model.hasAnswered = true;
    if (isAccepted) {
      if (isDown) model.isResting = false;
      model.failures = 0;
    } else if (attempts === 0 || isDown) {
      model.failures += 1;
      if (model.failures >= downAfter) model.isResting = true;
    }
  }
  const ofLog = deliveries.filter(({ dueAt }) => dueAt === null);
  const passedCount = ofLog.findLastIndex((each) => sent.has(each)) + 1;
  const skipped = ofLog.slice(0, passedCount).filter((each) => !sent.has(each));
  const next = ofLog[passedCount];
  const position = next === undefined ? end : next.event.sequence - 1;
  const passed = waiting.filter((sequence) => sequence <= position);
  const newRows = [...skipped.map(({ event }) => event.sequence), ...passed];
  addRows(
    model,
    real,
    newRows.filter((sequence) => !openBefore.has(sequence)),
    [...ended, ...newRows],
  );
  model.sequence = Math.max(model.sequence, position);
}

const someProcess = fc.nat(1);
const someFates = fc.array(fc.constantFrom<Fate>("accepted", "accepted", "accepted", "refused", "unsent"), {
  maxLength: 5,
});
const settles: fc.Arbitrary<fc.AsyncCommand<Model, Real>> = fc
  .record({ who: someProcess, fates: someFates, connections: fc.nat(4) })
  .map(({ who, fates, connections }) =>
    step(`process ${who} settles (${fates.join(", ")}), and claims ${connections}`, (model, real) =>
      takeTurn(model, real, who, real.held[who]?.shift(), fates, connections),
    ),
  );

async function passTwoDays(model: Model, real: Real): Promise<void> {
  const id = uuidToBytes(real.endpoint.id);
  await world.connection.query(
    "UPDATE webhook_deliveries SET next_at = next_at - INTERVAL 2 DAY WHERE endpoint_id = ? AND next_at > NOW(3)",
    [id],
  );
  const columns = ["due_at", "paused_until", "claim_ends_at"].map((each) => `${each} = ${each} - INTERVAL 2 DAY`);
  await world.connection.query(`UPDATE webhook_endpoints SET ${columns.join(", ")} WHERE id = ?`, [id]);
  for (const row of model.rows.values()) if (row.when === "later") row.when = "now";
  Object.assign(model, { isResting: false, isOver: true });
  await agree(model, real);
}

/** The receiver accepts the first delivery of each claim, until it has every event that is not given up. */
async function acceptAll(model: Model, real: Real): Promise<void> {
  await passTwoDays(model, real);
  await takeTurn(model, real, 0, undefined, [], 1);
  for (let turns = 0; turns < 20 && model.claim !== undefined; turns += 1) {
    await takeTurn(model, real, 0, model.claim, ["accepted"], 1);
  }
  const { accepted, excused, rows } = model;
  const all = real.events.map((_, index) => index + 1);
  const missing = all.filter((sequence) => ![...accepted, ...excused].includes(sequence));
  expect(missing.filter((sequence) => rows.get(sequence)?.when !== "dead")).toEqual([]);
}

const steps: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] = [
  settles,
  settles,
  settles,
  fc
    .record({ who: someProcess, connections: fc.integer({ min: 1, max: 5 }) })
    .map(({ who, connections }) =>
      step(`process ${who} claims ${connections}`, (model, real) =>
        takeTurn(model, real, who, undefined, [], connections),
      ),
    ),
  fc.integer({ min: 1, max: 5 }).map((sequence) =>
    step(`the partner wants event ${sequence} once more`, async (model, real) => {
      const named = { ...eventAt(real, sequence), occurrence: 1 };
      expect(await world.stores.webhooks.redeliver(real.endpoint, [named], signal)).toBe(1);
      model.rows.set(sequence, { attempts: 0, when: "now" });
      model.excused.add(sequence);
      // All that waits for its time is tried now.
      for (const row of model.rows.values()) if (row.when === "later") row.when = "now";
      Object.assign(model, { isResting: false, failures: 0, hasAnswered: false, revision: model.revision + 1 });
      expect(await dueOf(real)).toBe("now");
      await agree(model, real);
    }),
  ),
  fc.constant(
    step("an event that is to be tried again has failed nine times", async (model, real) => {
      const [row] = [...model.rows].filter(([, { when }]) => when === "later");
      if (row === undefined) return;
      row[1].attempts = 9;
      await world.connection.query(
        "UPDATE webhook_deliveries SET attempts = 9 WHERE endpoint_id = ? AND sequence = ?",
        [uuidToBytes(real.endpoint.id), row[0]],
      );
    }),
  ),
  fc.constant(step("two days pass", passTwoDays)),
];

test("one process at a time sends an event, after the earlier ones of its session, until it is accepted or dead", async () => {
  await holds<Model, Real>(
    steps,
    async () => {
      const partnerId = await world.addPartner();
      const { endpoint } = await world.addEndpoint(partnerId, "http://127.0.0.1:9/hooks");
      const sessionIds: string[] = [];
      for (let count = 0; count < 3; count += 1) sessionIds.push(await world.publishSession(partnerId));
      // Their events are not next to one another in the log.
      for (const id of sessionIds.slice(0, 2)) {
        await world.stores.sessions.saveAnswers({ partnerId, id }, 0, someRecording([1]), signal);
        await world.sequence();
      }
      const events = await world.stores.events.listEvents(partnerId, 0, 10, signal);
      expect(events).toHaveLength(5);
      const health = { failures: 0, hasAnswered: false, isResting: false, revision: 0 };
      const receiver = { attempts: [], accepted: [], excused: new Set<number>() };
      const model: Model = { ...health, ...receiver, sequence: 0, rows: new Map(), claim: undefined, isOver: false };
      return { model, real: { endpoint, events: events as Real["events"], held: [[], []] } };
    },
    { maxCommands: 24, runs: 40, finish: acceptAll },
  );
});
