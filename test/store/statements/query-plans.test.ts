// Every statement finds its rows through an index, on tables large enough for the server to have a choice.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/database/database.ts";
import { uuidToBytes } from "../../../src/database/statement.ts";
import { neutralBranding } from "../../../src/domain/hosted/branding.ts";
import { createSequencerStore } from "../../../src/store/events/sequencer-store.ts";
import { createStores, type Stores } from "../../../src/store/stores.ts";
import {
  at,
  someAnchor,
  someAssessment,
  someChain,
  someClient,
  someId,
  someLink,
  someRecording,
  someReportBrowserSession,
  someReportLink,
  someResults,
  someSecret,
  someSession,
  someToken,
} from "../../support/builders.ts";
import { methodNames, newRows, type Rows, storeCalls, storeRows } from "../../support/databases/store-calls.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";
import { never, sequenceEvents } from "../../support/webhooks/sequencing.ts";

const { signal } = new AbortController();

/** The tables that each call reads or changes, with the index it gets there by. */
const expectedPlans: Record<string, readonly string[]> = {
  "sessions.insertSession": ["session_groups PRIMARY"],
  "sessions.findSession": ["sessions PRIMARY"],
  "sessions.changeSession": ["sessions PRIMARY"],
  "sessions.findSessionByKey": ["k PRIMARY", "s PRIMARY"],
  "idempotencyKeys.deleteExpiredKeys": [
    "idempotency_keys idempotency_keys_expiry",
    "idempotency_keys idempotency_keys_session",
  ],
  "idempotencyKeys.countExpiredKeys": ["idempotency_keys idempotency_keys_expiry"],
  "sessions.saveAnswers": ["sessions PRIMARY"],
  "sessions.saveCompletion": ["sessions PRIMARY"],
  "sessions.saveCancellation": ["sessions PRIMARY"],
  "sessions.saveReopening": ["sessions PRIMARY"],
  "sessions.listExpiryDue": ["sessions sessions_expiry_due"],
  "sessions.saveExpiry": ["sessions PRIMARY"],
  "sessions.findLatestCompleted": ["s sessions_person", "a PRIMARY"],
  "sessions.findCompletedBefore": ["s sessions_person", "a PRIMARY"],
  "sessions.listUnscored": ["sessions sessions_unscored"],
  "sessions.saveResults": ["sessions PRIMARY"],
  "hosted.addLink": ["hosted_links hosted_links_session", "hosted_links PRIMARY"],
  "hosted.replaceLinks": [
    "sessions PRIMARY",
    "hosted_links hosted_links_session",
    "hosted_browser_sessions hosted_browser_sessions_session",
  ],
  "sessions.listSessionIds": ["sessions sessions_person"],
  "sessions.eraseData": ["sessions PRIMARY", "report_intentions PRIMARY"],
  "sessions.eraseSessions": [
    "sessions PRIMARY",
    "group_members group_members_session",
    "session_groups PRIMARY",
    "webhook_deliveries webhook_deliveries_resource",
    "webhook_attempts webhook_attempts_resource",
    "events events_once",
    "hosted_links hosted_links_session",
    "hosted_browser_sessions hosted_browser_sessions_session",
    "report_links report_links_session",
    "report_browser_sessions report_browser_sessions_session",
    "report_views PRIMARY",
    "report_intentions PRIMARY",
    "idempotency_keys idempotency_keys_session",
  ],
  "sessionLists.listSessions": [
    "sessions sessions_partner",
    "s sessions_partner",
    "a PRIMARY",
    "sessions sessions_person",
    "s sessions_person",
    "sessions sessions_group",
    "s sessions_group",
  ],
  "sessionPolicies.savePolicy": [],
  "sessionPolicies.findPolicy": ["session_policies PRIMARY"],
  "sessionPolicies.listPolicies": ["session_policies PRIMARY"],
  "sessionPolicies.saveProgress": ["session_policies PRIMARY"],
  "sessionPolicies.listDeletable": ["sessions sessions_partner"],
  "testClocks.saveTestClock": [],
  "testClocks.findTestClock": ["test_clocks PRIMARY"],
  "testClocks.listTestClocks": ["test_clocks PRIMARY"],
  "testClocks.listExpiredByTestClock": ["sessions sessions_expiry_due"],
  "testClocks.saveExpiredThrough": ["test_clocks PRIMARY"],
  "testClocks.deleteTestClock": ["test_clocks PRIMARY"],
  "norms.listSessions": ["sessions sessions_person"],
  "norms.findNextPartner": ["sessions sessions_partner"],
  "norms.saveRun": ["norm_pool_counts PRIMARY", "norm_runs PRIMARY", "norm_numbers PRIMARY"],
  "norms.findRun": ["norm_runs PRIMARY"],
  "norms.listRuns": ["norm_runs PRIMARY"],
  "norms.listPublished": ["norm_numbers PRIMARY"],
  "norms.findNumbers": ["norm_numbers PRIMARY"],
  "normPools.findParticipation": ["norm_pool_partners PRIMARY"],
  "normPools.listParticipants": ["norm_pool_partners PRIMARY"],
  "normPools.listCounts": ["norm_pool_counts PRIMARY"],
  "normPools.isDecided": ["norm_pool_quarters PRIMARY"],
  "normPools.saveParticipation": [],
  "normPools.saveDecidedQuarter": [],
  "normPools.saveRelease": [],
  "normPools.findRelease": ["norm_pool_releases PRIMARY"],
  "groups.insertGroup": ["group_counts PRIMARY"],
  "groups.findGroup": ["session_groups PRIMARY"],
  "groups.findGroupByKey": ["session_groups session_groups_idempotency"],
  "groups.listGroups": ["session_groups session_groups_list"],
  "groups.listParts": ["session_groups session_groups_parent"],
  "groups.countPeople": ["s sessions_group", "session_groups PRIMARY", "session_groups session_groups_parent"],
  "groups.findNumbers": ["session_groups PRIMARY"],
  "groups.listCompleted": ["sessions sessions_group"],
  "groups.nextDuePartner": ["session_groups session_groups_due"],
  "groups.listDue": ["session_groups session_groups_due"],
  "groups.closeGroup": [
    "sessions PRIMARY",
    "group_counts PRIMARY",
    "session_groups PRIMARY",
    "session_groups session_groups_parent",
  ],
  "groups.countClosings": ["group_counts PRIMARY"],
  "sheets.listOfPeople": ["m group_members_person", "s PRIMARY"],
  "sheets.findByAnswers": ["group_members group_members_answers"],
  "sheets.listPublishedWith": [
    "group_members group_members_answers",
    "group_members group_members_sheet",
    "m PRIMARY",
    "g PRIMARY",
  ],
  "reportAccess.findLink": ["t PRIMARY", "s PRIMARY"],
  "reportAccess.findBrowserSession": ["t PRIMARY", "s PRIMARY", "l PRIMARY"],
  "reportAccess.recordView": [],
  "reportAccess.saveIntention": ["sessions PRIMARY", "report_intentions PRIMARY", "events events_once"],
  "reportAccess.findIntention": ["report_intentions PRIMARY"],
  "reportAccess.addBrowserSession": [
    "report_links PRIMARY",
    "report_browser_sessions report_browser_sessions_session",
    "report_browser_sessions PRIMARY",
  ],
  "reportAccess.addLink": ["report_links report_links_session", "report_links PRIMARY"],
  "reportAccess.removeAccess": [
    "sessions PRIMARY",
    "report_links report_links_session",
    "report_browser_sessions report_browser_sessions_session",
  ],
  "hosted.findLink": ["t PRIMARY", "s PRIMARY"],
  "hosted.addBrowserSession": [
    "hosted_links PRIMARY",
    "hosted_browser_sessions hosted_browser_sessions_session",
    "hosted_browser_sessions PRIMARY",
  ],
  "hosted.findBrowserSession": ["t PRIMARY", "s PRIMARY"],
  "brandings.findBranding": ["partner_brandings PRIMARY"],
  "brandings.saveBranding": [],
  "signingKeys.listSigningKeys": ["signing_keys PRIMARY"],
  "signingKeys.insertSigningKey": [],
  "signingKeys.deleteSigningKeys": ["signing_keys PRIMARY"],
  "assessments.findLatestAssessmentId": ["assessments assessments_version"],
  "assessments.findAssessmentId": ["assessments assessments_version"],
  "assessments.findAssessment": ["assessments PRIMARY"],
  "assessments.listAssessments": ["assessments assessments_version"],
  "assessments.insertAssessment": [],
  "assessments.findGreatestAssessmentId": [],
  "identities.insertPartner": [],
  "identities.findPartner": ["partners PRIMARY"],
  "identities.listPartners": ["partners PRIMARY"],
  "identities.insertClient": [],
  "identities.listClients": ["clients clients_partner", "c clients_partner", "s client_secrets_client"],
  "identities.saveClientUses": ["clients PRIMARY"],
  "identities.findClient": ["clients PRIMARY"],
  "identities.disableClient": ["clients PRIMARY"],
  "identities.addClientSecret": ["clients PRIMARY", "client_secrets client_secrets_client", "client_secrets PRIMARY"],
  "identities.listClientSecrets": ["client_secrets client_secrets_client"],
  "identities.insertToken": [],
  "identities.findToken": ["t PRIMARY", "c PRIMARY"],
  "identities.deleteToken": ["access_tokens PRIMARY"],
  "jobLeases.takeLease": ["job_leases PRIMARY"],
  "jobLeases.releaseLease": ["job_leases PRIMARY"],
  "events.listEvents": ["events events_sequence"],
  "events.listAllEvents": ["events PRIMARY"],
  "events.findPartnerBounds": ["h PRIMARY", "p PRIMARY"],
  "events.findBounds": ["event_position PRIMARY"],
  "events.findUnpublishedAge": ["sessions sessions_unpublished", "event_outbox PRIMARY"],
  "events.findExternalIds": ["sessions PRIMARY"],
  "events.expireEvents": ["event_position PRIMARY", "events PRIMARY", "event_heads PRIMARY"],
  "events.skipAhead": ["event_position PRIMARY"],
  "webhooks.insertEndpoint": ["webhook_endpoints webhook_endpoints_url"],
  "webhooks.findEndpoint": ["webhook_endpoints PRIMARY"],
  "webhooks.listEndpoints": ["webhook_endpoints webhook_endpoints_url"],
  "webhooks.changeEndpoint": [
    "webhook_endpoints PRIMARY",
    "webhook_endpoints webhook_endpoints_url",
    "webhook_deliveries webhook_deliveries_next",
  ],
  "webhooks.addSecret": ["webhook_endpoints PRIMARY", "webhook_secrets webhook_secrets_endpoint"],
  "webhooks.listSecrets": ["webhook_secrets webhook_secrets_endpoint"],
  "webhooks.resealSecret": ["webhook_secrets PRIMARY"],
  "webhooks.redeliver": [
    "events events_once",
    "webhook_endpoints PRIMARY",
    "webhook_deliveries webhook_deliveries_next",
  ],
  "webhooks.listAttempts": ["a PRIMARY", "e events_sequence"],
  "webhooks.countBacklog": ["events events_sequence", "webhook_deliveries PRIMARY"],
  "webhooks.resumeEndpoint": ["webhook_endpoints PRIMARY", "webhook_deliveries webhook_deliveries_next"],
  "webhooks.listParked": ["p PRIMARY", "e events_sequence"],
  "webhooks.beginReplay": ["webhook_endpoints PRIMARY", "webhook_deliveries webhook_deliveries_next"],
  "webhooks.cancelReplay": ["webhook_endpoints PRIMARY"],
  "deliveries.listDueEndpoints": ["webhook_endpoints webhook_endpoints_due"],
  "deliveries.settleAndClaim": [
    "webhook_endpoints PRIMARY",
    "event_heads PRIMARY",
    "webhook_deliveries webhook_deliveries_claim",
    "d webhook_deliveries_next",
    "e events_sequence",
    "webhook_deliveries PRIMARY",
    "webhook_secrets webhook_secrets_endpoint",
    "events events_sequence",
    "webhook_deliveries webhook_deliveries_resource",
  ],
  "deliveries.wakeEndpoints": ["w webhook_endpoints_due", "h PRIMARY", "webhook_endpoints PRIMARY"],
  "deliveries.readDeliveryState": ["w PRIMARY", "h PRIMARY", "e events_sequence"],
  "deliveries.deleteExpiredDeliveries": [
    "webhook_attempts webhook_attempts_expiry",
    "webhook_attempts PRIMARY",
    "d PRIMARY",
    "w PRIMARY",
    "h PRIMARY",
  ],
  "webhooks.deleteEndpoint": ["webhook_endpoints PRIMARY", "webhook_secrets webhook_secrets_endpoint"],
  "sequencer.publish": [
    "event_position PRIMARY",
    "sessions sessions_unpublished",
    "sessions PRIMARY",
    "event_outbox PRIMARY",
    "event_heads PRIMARY",
    "webhook_endpoints webhook_endpoints_url",
  ],
  "exports.listExports": ["s sessions_partner", "a PRIMARY", "p sessions_person", "b PRIMARY", "s sessions_group"],
  "exports.listStored": ["sessions PRIMARY"],
  "exports.findNewestTime": ["sessions sessions_partner"],
  "subjectRecords.listSubjectRecords": [
    "s sessions_person",
    "g PRIMARY",
    "m group_members_session",
    "i PRIMARY",
    "l hosted_links_session",
    "l hosted_browser_sessions_session",
    "l report_links_session",
    "l report_browser_sessions_session",
    "s PRIMARY",
    "v PRIMARY",
  ],
  "usage.countEvents": ["usage_position PRIMARY", "events PRIMARY"],
  "usage.listUsage": ["usage_days usage_days_day", "usage_days PRIMARY"],
  "usage.findCountedAt": ["usage_position PRIMARY"],
  "audit.append": [],
  "audit.listRecords": ["audit_log audit_log_partner", "audit_log audit_log_session"],
  "audit.listChain": ["audit_log PRIMARY"],
  "audit.findHeadAfter": ["audit_log PRIMARY"],
  "audit.insertAnchor": [],
  "audit.findLastAnchor": ["audit_anchors PRIMARY"],
  "audit.listAnchors": ["audit_anchors PRIMARY"],
  "audit.removeRecords": ["audit_log PRIMARY"],
  "audit.removeAnchors": ["audit_anchors PRIMARY"],
  "maintenance.deleteExpired": [
    "access_tokens access_tokens_expiry",
    "access_tokens PRIMARY",
    "hosted_links hosted_links_expiry",
    "hosted_links PRIMARY",
    "hosted_browser_sessions hosted_browser_sessions_expiry",
    "hosted_browser_sessions PRIMARY",
    "report_links report_links_expiry",
    "report_links PRIMARY",
    "report_browser_sessions report_browser_sessions_expiry",
    "report_browser_sessions PRIMARY",
  ],
};

/** Calls that sort what they found: a person's sessions, a session's links and browser sessions a client's and an endpoint's secrets, a partner's endpoints,
 * a handful of rows. */
const sortingCalls = [
  "sessions.findLatestCompleted",
  "sessions.findCompletedBefore",
  "hosted.addLink",
  "hosted.addBrowserSession",
  "reportAccess.addLink",
  "reportAccess.addBrowserSession",
  "identities.addClientSecret",
  "identities.listClientSecrets",
  "webhooks.addSecret",
  "webhooks.listEndpoints",
  "webhooks.listSecrets",
  "deliveries.settleAndClaim",
  // Of groups that are due and not closed yet.
  "groups.nextDuePartner",
];

/** One table of one statement, as the server explains it. */
interface Plan {
  readonly sql: string;
  readonly table: string;
  readonly type: string;
  readonly key: string | null;
  readonly extra: string;
}

let database: TestStores;
const plansOf = new Map<string, Plan[]>();

beforeAll(async () => {
  database = await openTestStores();
  const rows = newRows();
  await storeRows(database, rows);
  await storeOtherRows(database, rows);
  await storeEndpoints(database);
  await storeGroupsAndNorms(database);
  await sequenceEvents(database);
  await storeOtherRows(database, rows, 300);
  for (const table of [
    "sessions",
    "idempotency_keys",
    "hosted_links",
    "hosted_browser_sessions",
    "report_links",
    "report_browser_sessions",
    "report_views",
    "report_intentions",
    "partner_brandings",
    "signing_keys",
    "partners",
    "clients",
    "client_secrets",
    "access_tokens",
    "assessments",
    "norm_runs",
    "norm_numbers",
    "norm_pool_counts",
    "norm_pool_partners",
    "norm_pool_quarters",
    "session_groups",
    "group_members",
    "events",
    "event_heads",
    "webhook_endpoints",
    "webhook_deliveries",
    "webhook_attempts",
    "job_leases",
    "test_clocks",
    "audit_log",
    "audit_anchors",
  ]) {
    await database.connection.query(`ANALYZE TABLE ${table}`);
  }
  const db = openDatabase({ address: database.address, poolSize: 2, warn: () => undefined });
  const plans = explainStatements(db);
  for (const { name, call } of [...storeCalls(createStores(db), rows), sequencerCall(db)]) {
    await call(signal);
    plansOf.set(name, plans.splice(0));
  }
  await db.destroy();
});
afterAll(() => database.close());

/** 300 more of everything: sessions of 30 persons at 5 partners, open and completed, and versions of 3 products. */
async function storeOtherRows(stores: Stores, rows: Rows, first = 0): Promise<void> {
  const { sessions, assessments, identities, hosted, reportAccess, brandings, jobLeases, audit, testClocks } = stores;
  const partnerIds = [rows.partner.id, someId(), someId(), someId(), someId()];
  const products = [rows.assessment.product, "product-2", "product-3"];
  const store = async (index: number) => {
    const partner = { id: someId(), name: `Partner ${index}`, internal: false, createdAt: at(index) };
    await identities.insertPartner(partner, signal);
    const client = someClient({ partnerId: partner.id });
    await identities.insertClient(client, someSecret(client.id), signal);
    await identities.insertToken(someToken(client.id, { expiresAt: at(10 * index) }), signal);
    const assessmentId = index + 2;
    const product = pick(products, index);
    await assessments.insertAssessment(someAssessment({ id: assessmentId, product, version: assessmentId }), signal);
    const externalId = `person ${index % 30}`;
    const idempotency = { key: `key of ${index}`, requestHash: Buffer.alloc(32), keptDays: 30 };
    const session = someSession({ partnerId: pick(partnerIds, index), externalId, assessmentId, idempotency });
    await sessions.insertSession(session, signal);
    const link = someLink(session, { expiresAt: at(10 * index) });
    await hosted.addLink(link, 10, signal);
    await hosted.addBrowserSession(
      { ...someLink(session, { expiresAt: at(10 * index) }), linkHash: link.hash },
      10,
      signal,
    );
    const reportLink = someReportLink(session, { expiresAt: at(10 * index) });
    await reportAccess.addLink(reportLink, 10, signal);
    const reportBrowserSession = someReportBrowserSession(session, reportLink.hash, { expiresAt: at(10 * index) });
    await reportAccess.addBrowserSession(reportBrowserSession, 10, signal);
    await reportAccess.saveIntention(reportLink, { step: "Sow", lookAgainOn: null, setAt: at(index) }, signal);
    await reportAccess.recordView(
      { partnerId: session.partnerId, sessionId: session.id, linkHash: reportLink.hash, viewedAt: at(index) },
      signal,
    );
    await jobLeases.takeLease(`job-${index}`, Buffer.alloc(16, index), 10 * index, signal);
    const branding = { ...neutralBranding, displayName: partner.name };
    await brandings.saveBranding(partner.id, branding, signal);
    await testClocks.saveTestClock({ partnerId: partner.id, aheadMs: 1_000 }, at(index), signal);
    if (index % 2 === 0) return;
    const completion = { ...someRecording([1]), completedAt: at(index), results: someResults() };
    await sessions.saveCompletion(session, 0, completion, signal);
  };
  // Fewer at a time than would wait too long for a connection on a busy machine.
  for (let from = first; from < first + 300; from += 30) {
    await Promise.all(Array.from({ length: 30 }, (_, index) => store(from + index)));
  }
  for (let index = first; index < first + 100; index += 1) {
    await audit.append(someChain(10, { partnerId: pick(partnerIds, index), sessionId: someId() }), signal);
    await audit.insertAnchor(someAnchor(10 + index), signal);
  }
}

/** 300 webhook endpoints of 100 partners, with an attempt and two deliveries each. */
async function storeEndpoints({ connection }: TestStores): Promise<void> {
  const partnerIds = Array.from({ length: 100 }, () => uuidToBytes(someId()));
  const rows = Array.from({ length: 300 }, (_, index) => {
    const id = uuidToBytes(someId());
    const hash = Buffer.concat([id, id]);
    return [id, partnerIds[index % 100], "", hash, 1, false, 0, at(0), 0, 0];
  });
  await connection.query(
    `INSERT INTO webhook_endpoints (id, partner_id, url, url_hash, types, include_external_id, revision,
     created_at, sequence, failures) VALUES ?`,
    [rows],
  );
  const attempts = rows.map(([id, partnerId], index) => [
    ...[partnerId, id, 1, 1, uuidToBytes(someId()), 1, at(0), 200, 12],
    at(index * 86_400_000),
  ]);
  await connection.query(
    `INSERT INTO webhook_attempts (partner_id, endpoint_id, id, sequence, resource_id, attempt, at, status, took_ms,
     expires_at) VALUES ?`,
    [attempts],
  );
  const parked = rows.flatMap(([id, partnerId], index) =>
    [1, 2].map((sequence) => [partnerId, id, sequence, uuidToBytes(someId()), 1, 1, at(index), at(index + 1)]),
  );
  await connection.query(
    `INSERT INTO webhook_deliveries
      (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at, dead_at) VALUES ?`,
    [parked],
  );
}

/** 300 groups with two members each, and as many sets of norms and quarters, of 100 partners. */
async function storeGroupsAndNorms({ connection }: TestStores): Promise<void> {
  const partnerIds = Array.from({ length: 100 }, () => uuidToBytes(someId()));
  const indices = Array.from({ length: 300 }, (_, index) => index);
  const groups = indices.map((index) => [uuidToBytes(someId()), partnerIds[index % 100], "", 1, "Team", at(index), 2]);
  await connection.query(
    "INSERT INTO session_groups (id, partner_id, product, assessment_id, label, created_at, joined) VALUES ?",
    [groups],
  );
  const members = groups.flatMap(([groupId, partnerId]) =>
    [0, 1].map((place) => [
      groupId,
      place,
      partnerId,
      uuidToBytes(someId()),
      uuidToBytes(someId()),
      uuidToBytes(someId()),
      Buffer.alloc(16, someId()),
    ]),
  );
  await connection.query(
    `INSERT INTO group_members (group_id, place, partner_id, sheet_id, session_id, person_id, answers_hash) VALUES ?`,
    [members],
  );
  const ofPartners = indices.map((index) => [partnerIds[index % 100], 1_000 + Math.floor(index / 100), "en"]);
  await connection.query(
    "INSERT INTO norm_numbers (partner_id, assessment_id, language, kind, computed_at, people, numbers) VALUES ?",
    [ofPartners.map((each) => [...each, 1, at(0), 30, "{}"])],
  );
  await connection.query("INSERT INTO norm_pool_counts (partner_id, assessment_id, language, since, counts) VALUES ?", [
    ofPartners.map((each) => [...each, at(0), "{}"]),
  ]);
  await connection.query("INSERT INTO norm_runs (partner_id, counted_until, sessions) VALUES ?", [
    partnerIds.map((partnerId) => [partnerId, at(0), 1]),
  ]);
  await connection.query("INSERT INTO norm_pool_partners (partner_id, takes_part_since, is_excluded) VALUES ?", [
    partnerIds.map((partnerId) => [partnerId, at(0), false]),
  ]);
  await connection.query("INSERT INTO norm_pool_quarters (quarter, decided_at) VALUES ?", [
    indices.map((index) => [index, at(index)]),
  ]);
}

function pick(list: readonly string[], index: number): string {
  return list[index % list.length] ?? "";
}

/** The sequencer's transaction, with sessions and erased ones to announce. */
function sequencerCall(db: Knex) {
  const store = createSequencerStore(db);
  const beginning = { since: new Date(0), id: "00000000-0000-0000-0000-000000000000" };
  return { name: "sequencer.publish", call: () => store.publish(beginning, 100, never, signal) };
}

/** Makes every statement of a pool that was not used yet be explained before it runs. @returns the list to which the plans are added */
function explainStatements(db: Knex): Plan[] {
  const plans: Plan[] = [];
  const acquire = db.client.acquireConnection.bind(db.client);
  db.client.acquireConnection = async (): Promise<Connection> => {
    const connection: Connection = await acquire();
    const [execute, query] = [explaining(connection, "execute", plans), explaining(connection, "query", plans)];
    return Object.assign(connection, { execute, query });
  };
  return plans;
}

type Done = (error: Error | null, result: unknown) => void;

/** The method, which explains a statement before it runs it. Transactions begin and end as they are. */
function explaining(connection: Connection, method: "execute" | "query", plans: Plan[]) {
  const run = Object.getPrototypeOf(connection)[method].bind(connection) as Connection["query"];
  return (sql: string, values: never[], done: Done) => {
    if (!/^(select|update|delete) /i.test(sql)) return run(sql, values, done);
    return run<RowDataPacket[]>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, values, (error, rows) => {
      if (error !== null) return done(error, undefined);
      plans.push(
        ...rows
          // What a derived table is made of is in rows of its own.
          .filter(({ table }) => table !== null && !table.startsWith("<derived"))
          .map(({ table, type, key, Extra }) => ({ sql, table, type, key, extra: Extra ?? "" })),
      );
      run(sql, values, done);
    });
  };
}

test("every method of the stores has its query plans here", () => {
  const names = [...methodNames(createStores(database.db)), "sequencer.publish"];
  expect([...plansOf.keys()].toSorted()).toEqual(names.toSorted());
  expect(Object.keys(expectedPlans).toSorted()).toEqual(names.toSorted());
});

test.each(Object.entries(expectedPlans))("%s uses its intended index", (name, expected) => {
  const plans = plansOf.get(name) ?? [];
  expect([...new Set(plans.map(({ table, key }) => `${table} ${key}`))]).toEqual(expected);
});

test("no statement reads a whole table or a whole index", () => {
  // Read in the order of the index, the first row is the last.
  const endsAtOnce = (sql: string) =>
    /FORCE INDEX \(PRIMARY\)\s+WHERE endpoint_id > \? ORDER BY endpoint_id, sequence LIMIT 1$/.test(sql);
  const scans = [...plansOf.values()]
    .flat()
    .filter(({ type, sql }) => type === "ALL" || (type === "index" && !endsAtOnce(sql)));
  expect(scans).toEqual([]);
});

test("no statement needs a temporary table, and only the named ones sort", () => {
  const plans = [...plansOf].flatMap(([name, list]) => list.map(({ sql, extra }) => ({ name, sql, extra })));
  // MySQL keeps the ids of rows that it moves within the index it finds them by: of endpoints, and of sheets.
  const moves = ({ sql }: { readonly sql: string }) =>
    /\(webhook_deliveries_next\) SET next_at|SET session_id = NULL/.test(sql);
  expect(plans.filter((plan) => plan.extra.includes("temporary") && !moves(plan))).toEqual([]);
  const sorting = plans.filter(({ extra }) => extra.includes("filesort")).map(({ name }) => name);
  expect(sorting.filter((name) => !sortingCalls.includes(name))).toEqual([]);
});
