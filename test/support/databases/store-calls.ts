// One call of every method of every store, and the rows that those calls look for.

import { randomBytes } from "node:crypto";
import type { Connection, RowDataPacket } from "mysql2";
import { NIL } from "uuid";
import type { Database } from "../../../src/database/database.ts";
import { toSubject } from "../../../src/domain/identifiers.ts";
import { beforeAllCompletions } from "../../../src/domain/sessions/session.ts";
import type { Claim, EndedClaim, SendResult } from "../../../src/domain/webhooks/deliveries.ts";
import type { Endpoint } from "../../../src/domain/webhooks/endpoint.ts";
import { createSequencerStore } from "../../../src/store/events/sequencer-store.ts";
import type { NormChanges } from "../../../src/store/norms/norm-store.ts";
import { noFilter } from "../../../src/store/sessions/session-list-store.ts";
import type { Stores } from "../../../src/store/stores.ts";
import {
  at,
  someAnchor,
  someAssessment,
  someAuditRange,
  someChain,
  someClient,
  someEndpoint,
  someErasure,
  someGroup,
  someId,
  someJoinCode,
  someLink,
  somePolicy,
  someRecording,
  someReportBrowserSession,
  someReportLink,
  someResults,
  someSealedSecret,
  someSecret,
  someSession,
  someToken,
} from "../builders.ts";

/** A call by the name of its store and method, such as `sessions.findSession`. */
export interface StoreCall {
  readonly name: string;
  call(signal: AbortSignal): Promise<unknown>;
}

export type Rows = ReturnType<typeof newRows>;

const beforeAllIds = NIL;

const branding = {
  displayName: "Partner",
  logoUrl: null,
  accentColor: "#336699",
  supportText: null,
  frameAncestors: ["https://partner.example"],
  comparison: "others" as const,
  offerLongForm: true,
};

const firstPage = { before: undefined, limit: 10, now: at(0) };

/** Numbers of so many people that a run tells, and what they add to norms of all partners. */
export function someNorms(assessmentId: number): NormChanges {
  const key = { assessmentId, language: "und" };
  const numbers = { ...key, computedAt: at(1), people: 100, numbers: Buffer.from("{}") };
  const publishedNorms = (["sessions", "retests"] as const).map((kind) => ({ ...numbers, kind }));
  return { published: publishedNorms, withdrawn: [], counts: [{ ...key, since: at(0), counts: Buffer.from("{}") }] };
}

/** What the calls look for, not stored yet: a partner's client with a token, and three sessions of one person. */
export function newRows() {
  const partner = { id: someId(), name: "Partner", internal: false, createdAt: at(0) };
  const client = someClient({ partnerId: partner.id });
  const sessionOf = (key: string) => ({
    ...someSession({ partnerId: partner.id, externalId: "person of the rows" }),
    idempotency: { key, requestHash: randomBytes(32) },
  });
  const groupOf = (key: string) => ({
    ...someGroup({ partnerId: partner.id, closesAt: at(9) }),
    idempotency: { key, requestHash: randomBytes(32) },
  });
  const open = sessionOf("key-1");
  const reportLink = someReportLink(open);
  return {
    assessment: someAssessment(),
    partner,
    client,
    token: someToken(client.id),
    open,
    link: someLink(open),
    browserSession: someLink(open),
    reportLink,
    reportBrowserSession: someReportBrowserSession(open, reportLink.hash),
    completed: sessionOf("key-2"),
    unscored: sessionOf("key-3"),
    uncounted: someSession({ partnerId: partner.id, externalId: "another person" }),
    endpoint: someEndpoint(partner.id),
    group: groupOf("group-1"),
    chain: someChain(3, { partnerId: partner.id, sessionId: open.id }),
  };
}

/** Stores the rows; the open session and the client can then lose an older link and an older secret. */
export async function storeRows(stores: Stores, rows: Rows): Promise<void> {
  const { sessions, assessments, identities, hosted, reportAccess, brandings, signingKeys, audit } = stores;
  const { signal } = new AbortController();
  const { assessment, partner, client, token, open, link, browserSession, completed, unscored, uncounted } = rows;
  const { reportLink, reportBrowserSession, chain } = rows;
  await assessments.insertAssessment(assessment, signal);
  await identities.insertPartner(partner, signal);
  await identities.insertClient(client, someSecret(client.id), signal);
  await identities.insertToken(token, signal);
  for (const session of [open, completed, unscored]) await sessions.insertSession(session, signal);
  await hosted.addLink(link, 10, signal);
  await hosted.addBrowserSession({ ...browserSession, linkHash: link.hash }, 10, signal);
  await reportAccess.addLink(reportLink, 10, signal);
  await reportAccess.addBrowserSession(reportBrowserSession, 10, signal);
  await reportAccess.recordView({ ...reportLink, linkHash: reportLink.hash, viewedAt: at(9) }, signal);
  await brandings.saveBranding(partner.id, branding, signal);
  await signingKeys.insertSigningKey(randomBytes(48), signal);
  const completion = { ...someRecording([1]), completedAt: at(1) };
  await sessions.saveCompletion(completed, 0, { ...completion, results: someResults() }, signal);
  await sessions.saveCompletion(unscored, 0, { ...completion, results: null }, signal);
  await sessions.insertSession(uncounted, signal);
  await sessions.saveCompletion(uncounted, 0, { ...completion, results: null }, signal);
  await stores.groups.insertGroup(rows.group, 10, signal);
  await audit.append(chain, signal);
  await audit.insertAnchor(someAnchor(1), signal);
}

type Method<Args extends readonly unknown[]> = (...args: [...Args, AbortSignal]) => Promise<unknown>;

/** A store, one of its methods, and its arguments but the signal. */
type Call = {
  [S in keyof Stores]: {
    [M in keyof Stores[S]]: Stores[S][M] extends Method<infer Args> ? readonly [store: S, method: M, ...Args] : never;
  }[keyof Stores[S]];
}[keyof Stores];

/** The calls; run in order on stored rows, each one finds, changes or removes something. */
export function storeCalls(stores: Stores, rows: Rows): StoreCall[] {
  const { assessment, partner, client, token, open, link, browserSession, completed, unscored, uncounted } = rows;
  const { reportLink, reportBrowserSession, group, endpoint, chain } = rows;
  const { partnerId, externalId } = open;
  const { product, version } = assessment;
  const pool = { assessmentId: assessment.id, language: "und" };
  const completion = { ...someRecording([1]), completedAt: at(5), results: someResults() };
  const next = someClient({ partnerId });
  const holder = randomBytes(16);
  const requests = [{ resourceId: unscored.id, type: "session.created" as const, occurrence: 1 }];
  const now = new Date();
  const personId = toSubject(partnerId, externalId).id;
  const ages = { deleteCompletedAfterDays: 1, deleteOpenAfterDays: 1 };
  const policy = somePolicy(partnerId, { ...ages, deleteAnswersAfterDays: 1, deleteResultsAfterDays: 1 });
  const member = { sessionId: completed.id, personId, answersHash: Buffer.alloc(16), sheetId: someId() };
  const outcome = { numbers: "{}", hasSpread: false };
  const newNorms = someNorms(assessment.id);
  const withdrawal = { ...newNorms, published: [], withdrawn: newNorms.published.slice(1) };
  const days = { from: "2026-11-01", until: "2026-12-01" };
  const calls: readonly (Call | StoreCall)[] = [
    ["sessions", "insertSession", someSession({ partnerId, externalId })],
    ["sessions", "insertSession", someSession({ partnerId, externalId, groupId: group.id })],
    ["groups", "insertGroup", someGroup({ partnerId, product }), 10],
    ["groups", "findGroup", group],
    ["groups", "findGroupByKey", partnerId, group.idempotency.key],
    ["groups", "listGroups", partnerId, product, undefined, 10],
    ["groups", "listParts", group],
    ["groups", "countPeople", partnerId, [group.id]],
    ["groups", "findNumbers", group],
    ["groups", "listCompleted", group, beforeAllIds, 10],
    ["groups", "findNextDuePartner", beforeAllIds, now],
    ["groups", "listDue", partnerId, now, 10],
    ["groups", "countClosings", partnerId],
    ["groups", "saveJoinCode", group, someJoinCode()],
    ["groups", "findGroupByJoinCode", someJoinCode().hash],
    ["groups", "endJoinCode", group, now],
    ["groups", "closeGroup", group, { closedAt: at(5), closings: 0, members: [member], outcome }],
    ["sheets", "listByPeople", partnerId, [member.personId]],
    ["sheets", "findByAnswers", partnerId, [Buffer.alloc(16)]],
    ["sheets", "listPublishedWith", partnerId, [member.sheetId]],
    ["sessions", "findSession", open],
    ["sessions", "attemptChange", open, async () => ({ response: () => 1 }), false],
    ["sessions", "findSessionByKey", partnerId, open.idempotency.key],
    ["sessions", "saveAnswers", open, 0, someRecording([1])],
    ["sessions", "saveCompletion", open, 1, completion],
    ["sessions", "saveCancellation", { ...open, revision: 8 }, at(1), false],
    ["sessions", "saveCancellation", { ...open, revision: 8 }, at(1), true],
    ["sessions", "saveReopening", { ...open, revision: 8 }, at(9)],
    ["sessions", "listDue", 10, now],
    ["sessions", "announceDue", open, now],
    ["sessions", "findLatestCompleted", product, partnerId, externalId],
    ["sessions", "listUnscored", beforeAllCompletions, 10],
    ["sessions", "saveResults", { ...unscored, revision: 1 }, someResults()],
    ["hosted", "findLink", link],
    ["hosted", "findBrowserSession", browserSession],
    ["hosted", "addBrowserSession", { ...someLink(open), linkHash: link.hash }, 1],
    ["hosted", "addLink", someLink(open), 1],
    ["hosted", "replaceLinks", someLink(open)],
    [
      "sessions",
      "findCompletedBefore",
      { product, partnerId, externalId, completedAt: at(9), id: completed.id, assessmentId: 1 },
    ],
    ["sessionLists", "listSessions", partnerId, product, noFilter, firstPage],
    ["sessionLists", "listSessions", partnerId, product, { ...noFilter, externalId }, firstPage],
    ["sessionLists", "listSessions", partnerId, product, { ...noFilter, groupId: group.id }, firstPage],
    ["sessionPolicies", "savePolicy", policy],
    ["sessionPolicies", "findPolicy", partnerId, "headless"],
    ["sessionPolicies", "listPolicies", undefined, 10],
    ["sessionPolicies", "saveProgress", policy, open.id],
    ["sessionPolicies", "listDeletable", policy, null, 10, at(9)],
    ["norms", "listSessions", partnerId, { externalId, id: beforeAllIds }, 10],
    ["norms", "findNextPartner", beforeAllIds],
    ["norms", "saveRun", { partnerId, countedUntil: at(1), sessions: 1 }, null, newNorms],
    ["norms", "saveRun", { partnerId, countedUntil: at(2), sessions: 1 }, at(1), withdrawal],
    ["norms", "listRuns", beforeAllIds, 10],
    ["norms", "listPublished", partnerId],
    ["norms", "findNumbers", partnerId, { ...pool, kind: "sessions" }],
    ["normPools", "saveParticipation", partnerId, at(0)],
    ["normPools", "findParticipation", partnerId],
    ["normPools", "listParticipants", beforeAllIds, 10],
    ["normPools", "listCounts", partnerId],
    ["normPools", "isDecided", 8104],
    ["normPools", "saveDecidedQuarter", 8104, at(1)],
    ["normPools", "saveRelease", pool, { number: 1, quarter: 8104, histograms: Buffer.from("[]") }, at(1)],
    ["normPools", "findRelease", pool],
    ["reportAccess", "findLink", reportLink],
    ["reportAccess", "findBrowserSession", reportBrowserSession],
    [
      "reportAccess",
      "recordView",
      { partnerId: open.partnerId, sessionId: open.id, linkHash: reportLink.hash, viewedAt: at(0) },
    ],
    ["reportAccess", "saveIntention", reportLink, { step: "Sow", lookAgainOn: "2027-01-07", setAt: at(1) }],
    ["reportAccess", "findIntention", reportLink],
    ["reportAccess", "saveIntention", reportLink, { step: "", lookAgainOn: null, setAt: at(1) }],
    ["reportAccess", "addCard", someReportLink(open, { card: "pas_rc_1" }), reportBrowserSession],
    ["reportAccess", "findCard", reportLink, at(1)],
    ["reportAccess", "removeCard", reportLink],
    ["reportAccess", "addBrowserSession", someReportBrowserSession(open, reportLink.hash), 1],
    ["reportAccess", "addLink", someReportLink(open), 1],
    ["reportAccess", "removeAccess", open],
    ["sessions", "listSessionIds", partnerId, externalId, 10],
    ["sessions", "eraseData", "results", [unscored.id], someErasure(partnerId)],
    ["sessions", "eraseData", "answers", [uncounted.id], someErasure(partnerId)],
    ["sessions", "eraseSessions", [completed.id], someErasure(partnerId)],
    ["assessments", "findLatestAssessmentId", product],
    ["assessments", "findAssessmentId", product, version],
    ["assessments", "findAssessment", assessment.id],
    ["assessments", "listAssessments", product],
    ["assessments", "insertAssessment", someAssessment({ id: 1000, version: 1000 })],
    ["assessments", "findGreatestAssessmentId"],
    ["identities", "insertPartner", { ...partner, id: someId() }],
    ["identities", "findPartner", partner.id],
    ["identities", "listPartners", beforeAllIds, 10],
    ["identities", "insertClient", next, someSecret(next.id)],
    ["identities", "listClients", partner.id, beforeAllIds, 10],
    ["identities", "saveClientUses", [client.id]],
    ["identities", "findClient", client.id],
    ["identities", "disableClient", client.id, at(1)],
    ["identities", "addClientSecret", someSecret(client.id, at(1)), 1],
    ["identities", "listClientSecrets", client.id],
    ["identities", "insertToken", someToken(client.id)],
    ["identities", "findToken", token.hash],
    ["identities", "deleteToken", token.hash, client.id],
    ["brandings", "findBranding", partner.id],
    ["brandings", "saveBranding", partner.id, branding],
    ["signingKeys", "findSigningKey"],
    ["signingKeys", "insertSigningKey", randomBytes(48)],
    ["jobLeases", "takeLease", "job", holder, 1000],
    ["jobLeases", "releaseLease", "job", holder],
    ["testClocks", "saveTestClock", { partnerId, aheadMs: 1_000 }],
    ["testClocks", "findTestClock", partnerId],
    ["testClocks", "listTestClocks", beforeAllIds, 10],
    ["testClocks", "listDue", partnerId, at(9), beforeAllIds, 10],
    ["testClocks", "deleteTestClock", partnerId],
    ["events", "listEvents", partnerId, 0, 10],
    ["events", "listAllEvents", 0, 10],
    ["events", "findPartnerBounds", partnerId],
    ["events", "findBounds"],
    ["events", "findUnpublishedAge"],
    ["events", "findExternalIds", [completed, unscored]],
    ["events", "skipAhead"],
    ["webhooks", "insertEndpoint", endpoint, someSealedSecret(endpoint.id), 16],
    ["webhooks", "findEndpoint", partnerId, endpoint.id],
    ["webhooks", "listEndpoints", partnerId, beforeAllIds, 16],
    ["webhooks", "changeEndpoint", endpoint, (current: Endpoint) => ({ ...current, resetsFailures: true, skipTo: 0 })],
    ["webhooks", "addSecret", partnerId, someSealedSecret(endpoint.id), 60],
    ["webhooks", "listSecrets", endpoint],
    ["webhooks", "resealSecret", partnerId, someSealedSecret(endpoint.id)],
    ["webhooks", "redeliver", endpoint, requests],
    ["webhooks", "listAttempts", endpoint, 10, 10],
    ["webhooks", "countBacklog", endpoint, 10],
    ["webhooks", "resumeEndpoint", endpoint],
    ["webhooks", "listParked", endpoint, 0, 10],
    ["webhooks", "beginReplay", endpoint, { after: 0, until: 1 }],
    ["webhooks", "cancelReplay", endpoint],
    ["deliveries", "listDueEndpoints", 10],
    { name: "deliveries.settleAndClaim", call: (signal) => settleTwice(stores, endpoint, signal) },
    ["deliveries", "wakeEndpoints", 10],
    ["deliveries", "readDeliveryState"],
    ["deliveries", "deleteExpiredAttempts", 10, now],
    ["deliveries", "deleteUnkeptDeliveries", beforeAllIds, 10],
    ["webhooks", "deleteEndpoint", partnerId, endpoint.id],
    ["events", "expireEvents", 0, 10, now],
    ["exports", "listExports", partnerId, undefined, beforeAllIds, 10],
    ["exports", "listExports", partnerId, group.id, beforeAllIds, 10],
    ["subjectRecords", "listSubjectRecords", { partnerId, externalId }, beforeAllIds, 10, 10],
    ["usage", "listUsage", { partnerId, ...days }],
    ["audit", "append", someChain(1, { partnerId })],
    ["audit", "listRecords", partnerId, undefined, someAuditRange(), 10],
    ["audit", "listRecords", partnerId, open.id, someAuditRange(), 10],
    ["audit", "listChain", chain[0]?.writer ?? "", 0, 10],
    ["audit", "findHeadAfter", beforeAllIds],
    ["audit", "insertAnchor", someAnchor(1_000_000)],
    ["audit", "findLastAnchor"],
    ["audit", "listAnchors", 0, 10],
    ["audit", "removeRecords", chain[0]?.writer ?? "", 10],
    ["audit", "removeAnchors", at(0), 10],
    ["maintenance", "deleteExpired", 10, now],
  ];
  return calls.map((each) => {
    if ("call" in each) return each;
    const [store, method, ...args] = each;
    const methods: object = stores[store];
    const run = (methods as Readonly<Record<string, Method<readonly unknown[]>>>)[method];
    return { name: `${store}.${method}`, call: async (signal) => run?.(...args, signal) };
  });
}

/** Sends what is due to an endpoint, which refuses it and then accepts it. */
async function settleTwice({ deliveries }: Stores, endpoint: Rows["endpoint"], signal: AbortSignal) {
  const context = { now: Date.now(), isTrusted: true, drawFraction: Math.random };
  const settle = (claim?: EndedClaim) =>
    deliveries.settleAndClaim([{ endpoint, endedClaim: claim, connections: 4 }], context, signal);
  const acceptance = { status: 204, error: null, tookMs: 3, retryAfterSeconds: null };
  const endedWith = ([claim]: readonly Claim[], result: SendResult): EndedClaim | undefined =>
    claim && { claim, results: claim.deliveries.map((delivery) => ({ delivery, at: new Date(), result })) };
  const refusal = await settle(endedWith((await settle()).claims, { ...acceptance, status: 500 }));
  return settle(endedWith(refusal.claims, acceptance));
}

/** The sequencer's transaction, with what there is to announce. */
export function sequencerCall(db: Database): StoreCall {
  const store = createSequencerStore(db);
  const beginning = { since: new Date(0), id: beforeAllIds };
  return { name: "sequencer.publish", call: (signal) => store.publish(beginning, 100, signal) };
}

interface Statement {
  /** Of which call it is. */
  readonly call: string;
  readonly sql: string;
  /** Sends another one over its connection, with the same values. */
  readonly sendAlike: (sql: string, done: (error: Error | null, rows: readonly RowDataPacket[]) => void) => void;
  readonly send: () => unknown;
}

/**
 * Makes calls one after the other, over connections that the pool opens from now on.
 * @param before gets each statement, prepared or not, and has to send it
 */
export async function watchCalls(
  { pool }: Database,
  calls: readonly StoreCall[],
  before: (statement: Statement, connection: Connection) => unknown,
): Promise<void> {
  let call = "";
  pool.on("createSuccess", (_event, { driver: connection }) => {
    for (const method of ["execute", "query"] as const) {
      const run = connection[method].bind(connection) as (...args: readonly unknown[]) => unknown;
      const watched = (what: string | { readonly sql: string }, ...args: readonly unknown[]) => {
        const sql = typeof what === "string" ? what : what.sql;
        const send = () => run(what, ...args);
        return before({ call, sql, send, sendAlike: (other, done) => run(other, args[0], done) }, connection);
      };
      Object.assign(connection, { [method]: watched });
    }
  });
  for (const each of calls) {
    call = each.name;
    await each.call(new AbortController().signal);
  }
}

/** The names of all methods that the stores have. */
export function methodNames(stores: Stores): string[] {
  return Object.entries(stores).flatMap(([store, methods]) =>
    Object.keys(methods).map((method) => `${store}.${method}`),
  );
}
