// Of all jobs that there are, over a database in which everything is over: while the clocks of host and database differ,
// none removes or ends anything; and while they agree, one run does all there is to do, however little at a time.

import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { recordAct } from "../../../src/domain/audit/trail.ts";
import type { Job } from "../../../src/jobs/job.ts";
import type { Clock } from "../../../src/kernel/environment.ts";
import { toTwinId, uuidToBytes } from "../../../src/kernel/ids.ts";
import {
  createBackgroundJobs,
  createBacklogJob,
  createDeliveryJobs,
  createLogJobs,
} from "../../../src/process/background-jobs.ts";
import { ChainAnchorer } from "../../../src/services/audit/anchors.ts";
import { batchSizes } from "../../../src/services/batch-sizes.ts";
import { createLogger } from "../../../src/telemetry/logger.ts";
import { createTelemetry } from "../../../src/telemetry/telemetry.ts";
import {
  someAssessment,
  someClient,
  someId,
  someLink,
  somePolicy,
  someReportBrowserSession,
  someReportLink,
  someResults,
  someSecret,
  someToken,
} from "../../support/builders.ts";
import { storeCompleted, storeSession } from "../../support/databases/stored-sessions.ts";
import { batchesOf, openTestStores, type TestStores } from "../../support/databases/stores.ts";
import { changesBetween, type RowChanges, wholeRowsOf } from "../../support/databases/whole-rows.ts";
import { signal } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;
/** Beyond every time for which anything is kept. */
const farAhead = 2_000 * day;

/** It removes nothing, but what it spends of a budget is gone. */
const spending = "norm-release";
/** It tells numbers of whoever has completed by then. */
const telling = "norms";

/** Jobs that remove or end something. */
const irreversible = [
  "maintenance",
  "due-sessions",
  "session-retention",
  "event-retention",
  "audit-retention",
  "group-closing",
];

let database: TestStores;
beforeEach(async () => {
  await database?.close();
  database = await openTestStores();
  await database.assessments.insertAssessment(someAssessment({ product: "values-bridge" }), signal);
  await fill(database);
});
afterAll(() => database.close());

/** Stores something of each kind that is removed, or ends, when its time is over. */
async function fill(stores: TestStores): Promise<void> {
  const { connection, hosted, reportAccess, identities, sessionPolicies, testClocks } = stores;
  const dependencies = testDependencies(stores);
  const partnerId = someId();
  await identities.insertPartner({ id: partnerId, name: "Partner", internal: false, createdAt: new Date() }, signal);
  const client = someClient({ partnerId });
  await identities.insertClient(client, someSecret(client.id), signal);
  await identities.insertToken(someToken(client.id), signal);

  const completion = { completedAt: new Date(), results: someResults() };
  for (let count = 0; count < 3; count += 1) await storeCompleted(stores, { partnerId }, completion);
  const open = await storeSession(stores, { partnerId, mode: "hosted" });
  const expiresAt = new Date(Date.now() + day);
  for (const id of [partnerId, toTwinId(partnerId) ?? ""]) {
    await storeSession(stores, { partnerId: id, mode: "hosted", expiresAt });
  }
  await sessionPolicies.savePolicy(somePolicy(partnerId, { deleteCompletedAfterDays: 1 }), signal);
  await testClocks.saveTestClock({ partnerId: toTwinId(partnerId) ?? "", aheadMs: hour }, signal);
  const link = someLink(open);
  await hosted.addLink(link, 10, signal);
  await hosted.addBrowserSession({ ...someLink(open), linkHash: link.hash }, 10, signal);
  const reportLink = someReportLink(open);
  await reportAccess.addLink(reportLink, 10, signal);
  await reportAccess.addBrowserSession(someReportBrowserSession(open, reportLink.hash), 10, signal);

  for (const id of [partnerId, toTwinId(partnerId) ?? ""]) {
    await connection.query(
      `INSERT INTO session_groups (id, partner_id, product, assessment_id, label, created_at, closes_at, due_at, joined)
       VALUES (?, ?, 'values-bridge', ?, 'Team', NOW(3), NOW(3) + INTERVAL 1 DAY, NOW(3) + INTERVAL 1 DAY, 0)`,
      [randomBytes(16), uuidToBytes(id), open.assessmentId],
    );
  }

  // Of an endpoint that is gone.
  const names = [uuidToBytes(open.partnerId), randomBytes(16), uuidToBytes(open.id)];
  await connection.query(
    `INSERT INTO webhook_attempts (partner_id, endpoint_id, id, sequence, resource_id, attempt, at, took_ms, expires_at)
     VALUES (?, ?, 1, 1, ?, 1, NOW(3), 1, NOW(3) + INTERVAL 3 DAY)`,
    names,
  );
  await connection.query(
    "INSERT INTO webhook_deliveries (partner_id, endpoint_id, sequence, resource_id, type, attempts) VALUES (?, ?, 1, ?, 1, 1)",
    names,
  );
  await recordAct(dependencies, { action: "norm_pool.update" }, async () => undefined);
  await sequenceEvents(stores);
  await new ChainAnchorer({ ...dependencies, auditKeys: [] }).run(signal);
}

/** Every job of every role. @param sizes how much they do at a time */
function allJobs(clock: Clock, sizes = batchSizes, clockFault = (): string | undefined => undefined): readonly Job[] {
  const dependencies = { ...testDependencies(database, { clock, clockFault }), batchSizes: sizes };
  const none = () => undefined;
  const observers = { observeUnpublished: none, observeAnchor: none };
  const sequencer = { run: () => sequenceEvents(database, sizes) };
  const deliverer = { leaseMs: 10_000, run: async () => undefined };
  return [
    ...createBackgroundJobs(dependencies, observers, readConfig({})),
    ...createLogJobs(dependencies, { sequencer, log: database.events }, readConfig({})),
    ...createDeliveryJobs(database, deliverer),
    createBacklogJob(dependencies, createTelemetry(createLogger("silent")).deliveries),
  ];
}

/** Every row of every table. */
const everything = () => wholeRowsOf(database.connection);

/** Of each table how many rows are gone and new, and which columns of others have changed. */
function inWords(changes: Readonly<Record<string, RowChanges>>) {
  return Object.fromEntries(
    Object.entries(changes).map(([table, { gone, added, changed }]) => {
      const columns = new Set(changed?.flatMap((row) => Object.keys(row)));
      return [
        table,
        {
          ...(gone && { gone }),
          ...(added && { added: added.length }),
          ...(changed && { columns: [...columns].toSorted() }),
        },
      ];
    }),
  );
}

test("no job changes anything while the clocks differ, and jobs that would are skipped", async () => {
  const jobs = allJobs(
    () => Date.now() + farAhead,
    batchSizes,
    () => "They differ.",
  );
  // A process that has just begun anchors once more what another one has anchored.
  await jobs.find(({ name }) => name === "audit-anchor")?.run(signal);
  const before = await everything();
  const skipped: string[] = [];
  for (const job of jobs) {
    if (job.mayRun?.() ?? true) await job.run(signal);
    else skipped.push(job.name);
    expect([job.name, changesBetween(before, await everything())]).toEqual([job.name, {}]);
  }
  expect(skipped.toSorted()).toEqual([...irreversible, spending, telling].toSorted());
  // Of all processes one does them.
  expect(jobs.filter(({ name, isExclusive }) => skipped.includes(name) && !isExclusive)).toEqual([]);
});

test("each job removes or ends what is listed and nothing else, by a clock with which all of it is due", async () => {
  const changed = new Map<string, ReturnType<typeof inWords>>();
  for (const job of allJobs(() => Date.now() + farAhead)) {
    const before = await everything();
    await job.run(signal);
    const changes = inWords(changesBetween(before, await everything()));
    if (Object.keys(changes).length > 0) changed.set(job.name, changes);
  }
  expect(Object.fromEntries(changed)).toEqual({
    maintenance: {
      access_tokens: { gone: 1 },
      hosted_links: { gone: 1 },
      hosted_browser_sessions: { gone: 1 },
      report_links: { gone: 1 },
      report_browser_sessions: { gone: 1 },
      webhook_attempts: { gone: 1 },
      webhook_deliveries: { gone: 1 },
    },
    "due-sessions": {
      sessions: {
        columns: ["announce_at", "expirations", "revision", "unpublished", "unpublished_since"],
      },
    },
    "group-closing": {
      event_outbox: { added: 2 },
      session_groups: { columns: ["closed_at", "due_at", "withheld"] },
    },
    "session-retention": {
      events: { gone: 12 },
      event_outbox: { added: 3 },
      sessions: { gone: 3 },
    },
    "event-retention": {
      events: { gone: 10 },
      event_heads: { columns: ["expired_sequence"] },
      event_position: { columns: ["expired_position"] },
    },
    "audit-retention": { audit_log: { gone: 2 } },
    // What the jobs before have done is announced.
    "event-sequencer": {
      events: { added: 7 },
      event_heads: { columns: ["sequence"] },
      event_outbox: { gone: 5 },
      event_position: { columns: ["position"] },
      sessions: { columns: ["unpublished", "unpublished_since"] },
      usage_days: { added: 3 },
    },
    [spending]: { norm_pool_quarters: { added: 1 } },
    [telling]: { norm_runs: { added: 1 } },
  });
  const others = ["event-sequencer", spending, telling];
  expect([...changed.keys()].toSorted()).toEqual([...irreversible, ...others].toSorted());
});

/** Tables of which a job removes or ends more rows than it takes at a time. */
const severalOf: Readonly<Record<string, readonly string[]>> = {
  maintenance: [
    ...["access_tokens", "hosted_links", "hosted_browser_sessions", "report_links", "report_browser_sessions"],
    ...["webhook_attempts", "webhook_deliveries"],
  ],
  "due-sessions": ["sessions"],
  "session-retention": ["sessions"],
  "event-retention": ["events"],
  "audit-retention": ["audit_log"],
  "group-closing": ["session_groups"],
};

test("one run of each job removes all that is due, two rows at a time", async () => {
  for (let count = 1; count < 5; count += 1) await fill(database);
  const now = Date.now() + farAhead;
  const clock = () => now;
  const done = new Map<string, string[]>();
  const unpaged = new Map(allJobs(clock).map((job) => [job.name, job]));
  for (const job of allJobs(clock, batchesOf(2))) {
    const before = await everything();
    await job.run(signal);
    const after = await everything();
    const several = Object.entries(changesBetween(before, after)).flatMap(([table, { gone = 0, changed = [] }]) =>
      gone + changed.length > 2 ? [table] : [],
    );
    if (irreversible.includes(job.name)) done.set(job.name, several.toSorted());
    // What a process has anchored is anchored once more by another one.
    await (job.name === "audit-anchor" ? job : unpaged.get(job.name))?.run(signal);
    expect([job.name, changesBetween(after, await everything())]).toEqual([job.name, {}]);
  }
  expect([...done.keys()].toSorted()).toEqual(irreversible.toSorted());
  for (const [name, tables] of done)
    expect([name, tables]).toEqual([name, expect.arrayContaining([...(severalOf[name] ?? [])])]);
});
