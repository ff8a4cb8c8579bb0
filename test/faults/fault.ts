// What a fault is, and how each one is shown: callers play, something breaks, and nothing acknowledged is lost.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DatabaseProxy, type ProxyTarget, startDatabaseProxy } from "../support/databases/database-proxy.ts";
import type { BreakableDatabase } from "./support/database/database.ts";
import { PartnerReceiver } from "./support/events/partner-receiver.ts";
import { isShort } from "./support/run/means.ts";
import { report } from "./support/run/report.ts";
import { openStage, type Stage } from "./support/stage.ts";

export type DatabaseName = "MariaDB" | "MySQL 9.7" | "a MySQL Group Replication cluster";

/** What a fault happens to: a service, callers of it, and what the fault asks for. */
export interface Scene<D extends BreakableDatabase = BreakableDatabase> {
  readonly stage: Stage<D>;
  readonly receivers: readonly PartnerReceiver[];
  /** Between service and database, where `proxied` says to what it leads. */
  readonly proxy: DatabaseProxy;
}

export interface Fault<D extends BreakableDatabase = BreakableDatabase> {
  /** The guarantee. */
  readonly name: string;
  readonly on: readonly DatabaseName[];
  /** Where a short run has it; everywhere unless given. Some take their time. */
  readonly shortOn?: readonly DatabaseName[];
  /** How often it happens; once unless given. */
  readonly times?: number;
  readonly proxied?: (database: D) => ProxyTarget | Promise<ProxyTarget>;
  /** Endpoints of a partner who knows no more than docs/webhooks.md; each gets every event once. */
  readonly receivers?: number;
  /** Lets it happen, and resolves when callers are served again. @returns figures of the run */
  readonly during: (scene: Scene<D>, turn: number) => Promise<unknown>;
  /** How calls may end, beside well. */
  readonly expected: readonly string[];
  /** What else has to hold when all is over. */
  readonly afterwards?: (scene: Scene<D>) => Promise<void>;
}

/** A test of each fault that the database can have, on a server of their own. */
export function proveFaults<D extends BreakableDatabase>(
  name: DatabaseName,
  start: () => Promise<D>,
  faults: readonly Fault<D>[],
): void {
  describe(`on ${name}`, () => {
    let database: D;
    beforeAll(async () => {
      database = await start();
    });
    afterAll(() => database.remove());

    for (const fault of faults) {
      const { on, shortOn = on } = fault;
      if ((isShort ? shortOn : on).includes(name)) test(fault.name, () => prove(fault, database));
    }
  });
}

/** Effects that are acknowledged before and after each time. */
const effectsBetween = 60;

async function prove<D extends BreakableDatabase>(fault: Fault<D>, database: D): Promise<void> {
  const { name, times = 1, proxied, receivers: endpoints = 0, during, expected, afterwards } = fault;
  const proxy = await startDatabaseProxy(proxied === undefined ? database.target : await proxied(database));
  const url = proxied === undefined ? database.url : database.urlThrough(proxy.port);
  const stage = await openStage(database, { url });
  const receivers: PartnerReceiver[] = [];
  while (receivers.length < endpoints) receivers.push(await PartnerReceiver.open(stage.service, stage.token));
  const scene = { stage, receivers, proxy };
  stage.play();
  const tookMs: number[] = [];
  const figures = {};
  for (let turn = 0; turn < times; turn += 1) {
    await stage.players.untilAcknowledged(effectsBetween);
    const begin = performance.now();
    Object.assign(figures, await during(scene, turn));
    tookMs.push(performance.now() - begin);
  }
  await stage.players.untilAcknowledged(effectsBetween);
  const outcomes = await stage.reckon();
  expect(Object.keys(outcomes).filter((outcome) => outcome !== "ok" && !expected.includes(outcome))).toEqual([]);
  const events = [...(await stage.untilLogged()).values()].flat().toSorted();
  for (const receiver of receivers) {
    await receiver.untilKnown(events.length);
    // Once each: the receiver knows an event by its id.
    expect(receiver.names.toSorted()).toEqual(events);
  }
  await afterwards?.(scene);
  report(name, { times, "slowest ms": Math.max(...tookMs), events: events.length, outcomes, ...figures });
}
