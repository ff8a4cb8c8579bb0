// Deliveries of an endpoint over sequences of what can happen to them, by two processes of which one has the lease.
import fc from "fast-check";
import type { RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { stateOf } from "../../../src/domain/webhooks/delivery-log.ts";
import type { ClaimedEndpoint, LeaseReport, ParkedRow } from "../../../src/domain/webhooks/delivery-port.ts";
import { at, someReport } from "../../support/builders.ts";
import { holds, step } from "../../support/models.ts";
import { type DeliveryWorld, openDeliveryWorld } from "../../support/webhooks/delivering.ts";

const { signal } = new AbortController();
const leaseMs = 60_000;
/** Less than the hour that passes in a step, more than a run takes. */
const pauseMs = 30 * 60_000;

let world: DeliveryWorld;
beforeAll(async () => {
  world = await openDeliveryWorld();
});
afterAll(() => world.close());

/** An event that was parked: to be tried now, later, after an earlier one of its session, or never again. */
interface Parked {
  attempts: number;
  when: "now" | "later" | "waiting" | "dead";
}

interface Model {
  /** The last event that was delivered, parked or passed over. */
  sequence: number;
  /** When somebody may claim the endpoint; `lease`: when that is over. */
  due: "now" | "later" | "lease" | "never";
  holder: number | null;
  readonly parked: Map<number, Parked>;
  /** Whether each try was taken. */
  readonly tries: boolean[];
}

interface Real {
  readonly endpoint: { readonly id: string; readonly partnerId: string };
  /** Sessions of the events, by sequence from 1. */
  readonly events: readonly { readonly resourceId: string; readonly type: "session.created" | "session.started" }[];
  /** What each process last claimed. */
  readonly claimed: (ClaimedEndpoint | undefined)[];
}

const taken = { attempt: 1, at: at(0), status: 204, error: null, tookMs: 3 };
const refused = { ...taken, status: 500 };

const eventAt = ({ events }: Real, sequence: number) => {
  const event = events[sequence - 1];
  if (event === undefined) throw new Error(`there is no event ${sequence}`);
  return event;
};
const isOpen = ({ when }: Parked) => when !== "dead";
/** Sequences of parked events of the session of an event, those before it if so asked for. */
const sameSession = ({ parked }: Model, real: Real, sequence: number) =>
  [...parked].filter(([other]) => eventAt(real, other).resourceId === eventAt(real, sequence).resourceId);
const dueIn = ({ parked }: Model) => [...parked].filter(([, { when }]) => when === "now").map(([sequence]) => sequence);

/** The next event of the session that waits may go. */
function freeIn(model: Model, real: Real, sequence: number): void {
  const waiting = sameSession(model, real, sequence).filter(([, { when }]) => when === "waiting");
  const [next] = waiting.toSorted(([one], [other]) => one - other);
  if (next !== undefined) next[1].when = "now";
}

async function agree(model: Model, real: Real): Promise<void> {
  const { id, partnerId } = real.endpoint;
  const { deliveries, webhooks } = world.stores;
  const parked = await webhooks.listParked(real.endpoint, 0, 100, signal);
  const stateIn = { now: "retrying", later: "retrying", waiting: "waiting", dead: "dead" } as const;
  expect(parked.map((each) => [each.sequence, each.attempts, stateOf(each)])).toEqual(
    [...model.parked]
      .toSorted(([one], [other]) => one - other)
      .map(([sequence, { attempts, when }]) => [sequence, attempts, stateIn[when]]),
  );
  const due = await deliveries.listDueParked(real.endpoint, 100, signal);
  expect(due.map(({ sequence }) => sequence).toSorted()).toEqual(dueIn(model).toSorted());
  expect(due.every(({ event, sequence }) => event?.sequence === sequence)).toBe(true);
  const resources = [...new Set(real.events.map(({ resourceId }) => resourceId))];
  const blocked = [...model.parked].filter(([, each]) => isOpen(each)).map(([each]) => eventAt(real, each).resourceId);
  expect(await deliveries.findParkedResources(real.endpoint, resources, signal)).toEqual(new Set(blocked));
  const attempts = await webhooks.listAttempts(real.endpoint, Number.MAX_SAFE_INTEGER, 1_000, signal);
  expect(attempts.map(({ status }) => status === 204).toReversed()).toEqual(model.tries);
  expect((await webhooks.findEndpoint(partnerId, id, signal))?.sequence).toBe(model.sequence);
  const lease = (await deliveries.listLeases([real.endpoint], signal)).get(id);
  expect(lease?.leaseId).toBe(model.holder === null ? undefined : real.claimed[model.holder]?.leaseId);
  expect(await dueOf(id)).toBe(model.due === "lease" ? "later" : model.due);
}

/** When the row of an endpoint says that somebody may claim it, by the database's clock. */
async function dueOf(id: string): Promise<string> {
  const [[row]] = await world.connection.query<RowDataPacket[]>(
    `SELECT CASE WHEN due_at IS NULL THEN 'never' WHEN due_at <= NOW(3) THEN 'now' ELSE 'later' END AS due
      FROM webhook_endpoints WHERE id = ?`,
    [uuidToBytes(id)],
  );
  return String(row?.due);
}

/** A process reports: by the model if it has the lease, and else nothing comes of it. */
async function report(
  name: string,
  model: Model,
  real: Real,
  changes: Partial<LeaseReport>,
  isOver: boolean,
  effect: () => void,
): Promise<void> {
  const who = placeOf(name, model);
  const endpoint = real.claimed[who];
  if (endpoint === undefined) return;
  const whole = { ...someReport(endpoint), endpoint, sequence: model.sequence, ...changes, isOver };
  const { lost, busy } = await world.stores.deliveries.saveReports([whole], leaseMs, signal);
  const holds = model.holder === who;
  expect([lost, busy]).toEqual([new Set(holds ? [] : [endpoint.id]), new Set()]);
  if (holds) {
    effect();
    if (!isOver) model.due = "lease";
    else {
      model.holder = null;
      const states = [...model.parked.values()].map(({ when }) => when);
      const hasMore = model.sequence < real.events.length || states.includes("now");
      model.due = hasMore ? "now" : states.includes("later") ? "later" : "never";
    }
  }
  await agree(model, real);
}

const someProcess = fc.nat(1);
/** Mostly the one that has the lease: the other one changes nothing. */
const reporter = fc.constantFrom("the holder", "the holder", "the holder", "the other process");
const placeOf = (who: string, { holder }: Model) => (who === "the holder" ? (holder ?? 0) : 1 - (holder ?? 0));
const rowOf = (real: Real, sequence: number, attempts: number, when: Parked["when"]): ParkedRow => ({
  ...eventAt(real, sequence),
  sequence,
  attempts,
  nextAt: when === "later" ? new Date(Date.now() + pauseMs) : when === "now" ? at(0) : null,
  deadAt: when === "dead" ? at(0) : null,
});

const sends: fc.Arbitrary<fc.AsyncCommand<Model, Real>> = fc
  .record({ who: reporter, isTaken: fc.boolean(), isOver: fc.boolean() })
  .map(({ who, isTaken, isOver }) =>
    step(
      `${who} sends the next, which is ${isTaken ? "taken" : "refused"}${isOver ? ", and ends" : ""}`,
      async (model, real) => {
        const sequence = Math.min(real.events.length, model.sequence + 1);
        if (sequence === model.sequence) return;
        const event = eventAt(real, sequence);
        const isBehind = sameSession(model, real, sequence).some(([, each]) => isOpen(each));
        const when = isBehind ? "waiting" : "later";
        // What waits for an earlier one is not sent.
        const isSent = isTaken || !isBehind;
        const changes = {
          sequence,
          attempts: isSent ? [{ ...(isTaken ? taken : refused), sequence, event }] : [],
          parked: isTaken ? [] : [rowOf(real, sequence, isBehind ? 0 : 1, when)],
        };
        await report(who, model, real, changes, isOver, () => {
          model.sequence = sequence;
          if (isSent) model.tries.push(isTaken);
          if (!isTaken && !model.parked.has(sequence)) model.parked.set(sequence, { attempts: isBehind ? 0 : 1, when });
        });
      },
    ),
  );

const steps: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] = [
  // Often, so that most histories come to the last event, and what is left then is to be tried again.
  sends,
  sends,
  sends,
  someProcess.map((who) =>
    step(`process ${who} claims`, async (model, real) => {
      const { endpoints } = await world.stores.deliveries.claimEndpoints(1_000, leaseMs, signal);
      const found = endpoints.find(({ id }) => id === real.endpoint.id);
      expect(found !== undefined).toBe(model.due === "now");
      if (found !== undefined) {
        expect(found.sequence).toBe(model.sequence);
        real.claimed[who] = found;
        Object.assign(model, { holder: who, due: "lease" });
      }
      await agree(model, real);
    }),
  ),
  fc
    .record({ who: reporter, outcome: fc.constantFrom("taken", "refused", "died"), isOver: fc.boolean() })
    .map(({ who, outcome, isOver }) =>
      step(`${who} tries a parked one, which is ${outcome}${isOver ? ", and ends" : ""}`, async (model, real) => {
        const [sequence] = dueIn(model);
        if (sequence === undefined) return;
        const event = eventAt(real, sequence);
        const attempts = (model.parked.get(sequence)?.attempts ?? 0) + 1;
        const when = outcome === "died" ? "dead" : "later";
        const changes = {
          attempts: [{ ...(outcome === "taken" ? taken : refused), sequence, event, attempt: attempts }],
          tried: outcome === "taken" ? [] : [rowOf(real, sequence, attempts, when)],
          done: outcome === "taken" ? [sequence] : [],
          freedResourceIds: outcome === "refused" ? [] : [event.resourceId],
        };
        await report(who, model, real, changes, isOver, () => {
          model.tries.push(outcome === "taken");
          if (outcome === "taken") model.parked.delete(sequence);
          else model.parked.set(sequence, { attempts, when });
          if (outcome !== "refused") freeIn(model, real, sequence);
        });
      }),
    ),
  reporter.map((who) => step(`${who} ends`, (model, real) => report(who, model, real, {}, true, () => undefined))),
  // The next one may be sent to it at this very moment.
  fc.constantFrom("the next" as const, 1, 2, 3).map((which) =>
    step(`the partner wants event ${which} once more`, async (model, real) => {
      const sequence = which === "the next" ? Math.min(real.events.length, model.sequence + 1) : which;
      const named = { ...eventAt(real, sequence), occurrence: 1 };
      expect(await world.stores.webhooks.redeliver(real.endpoint, [named], signal)).toBe(1);
      model.parked.set(sequence, { attempts: 0, when: "now" });
      if (model.holder === null) model.due = "now";
      await agree(model, real);
    }),
  ),
  fc.constant(
    step("an hour passes", async (model, real) => {
      const id = uuidToBytes(real.endpoint.id);
      await world.connection.query(
        "UPDATE webhook_parked SET next_at = next_at - INTERVAL 1 HOUR WHERE endpoint_id = ?",
        [id],
      );
      await world.connection.query("UPDATE webhook_endpoints SET due_at = due_at - INTERVAL 1 HOUR WHERE id = ?", [id]);
      for (const each of model.parked.values()) if (each.when === "later") each.when = "now";
      if (model.due !== "never") model.due = "now";
      await agree(model, real);
    }),
  ),
];

test("an event is sent, waits, dies and is sent once more as whoever has the lease reports, and nobody else", async () => {
  await holds<Model, Real>(
    steps,
    async () => {
      const partnerId = await world.addPartner();
      const { endpoint } = await world.addEndpoint(partnerId, "http://127.0.0.1:9/hooks");
      for (const isStarted of [true, false]) await world.addSession(partnerId, { isStarted });
      await world.sequence();
      const { events } = await world.stores.events.listEvents(partnerId, 0, 10, signal);
      expect(events).toHaveLength(3);
      const model: Model = { sequence: 0, due: "now", holder: null, parked: new Map(), tries: [] };
      return { model, real: { endpoint, events: events as Real["events"], claimed: [] } };
    },
    { maxCommands: 24, runs: 40 },
  );
});
