// One call of every method of every store, and the rows that those calls look for.

import { randomBytes } from "node:crypto";
import { NIL } from "uuid";
import { subjectOf } from "../../../src/domain/identifiers.ts";
import { beforeAllCompletions } from "../../../src/domain/sessions/session.ts";
import type { Claim, SendResult, SentDelivery } from "../../../src/domain/webhooks/deliveries.ts";
import type { NormChanges } from "../../../src/store/norms/norm-store.ts";
import type { SessionPolicy } from "../../../src/store/retention/session-policy-store.ts";
import { anySession } from "../../../src/store/sessions/session-list-store.ts";
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
  someLink,
  someRecording,
  someReportBrowserSession,
  someReportLink,
  someResults,
  someSealedSecret,
  someSecret,
  someSession,
  someSigningKey,
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
};

/** A policy that deletes what is a day old. */
export function policyOf(partnerId: string): SessionPolicy {
  const whole = { deleteCompletedAfterDays: 1, deleteOpenAfterDays: 1 };
  const days = { expiresAfterDays: null, ...whole, deleteAnswersAfterDays: 1, deleteResultsAfterDays: 1 };
  return { partnerId, mode: "headless", ...days };
}
const firstPage = { before: undefined, limit: 10, now: at(0) };

/** Numbers of so many people that a run tells, and what they add to norms of all partners. */
export function someNorms(assessmentId: number): NormChanges {
  const key = { assessmentId, language: "und" };
  const numbers = { ...key, computedAt: at(1), people: 100, numbers: Buffer.from("{}") };
  const published = (["sessions", "retests"] as const).map((kind) => ({ ...numbers, kind }));
  return { published, withdrawn: [], counts: [{ ...key, since: at(0), counts: Buffer.from("{}") }] };
}

/** What the calls look for, not stored yet: a partner's client with a token, and three sessions of one person. */
export function newRows() {
  const partner = { id: someId(), name: "Partner", internal: false, createdAt: at(0) };
  const client = someClient({ partnerId: partner.id });
  const sessionOf = (key: string, keptDays = 30) => ({
    ...someSession({ partnerId: partner.id, externalId: "person of the rows" }),
    idempotency: { key, requestHash: randomBytes(32), keptDays },
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
    // The time of their keys is over.
    stale: sessionOf("key-4", -1),
    staler: sessionOf("key-5", -2),
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
  const { reportLink, reportBrowserSession, chain, stale, staler } = rows;
  await assessments.insertAssessment(assessment, signal);
  await identities.insertPartner(partner, signal);
  await identities.insertClient(client, someSecret(client.id), signal);
  await identities.insertToken(token, signal);
  for (const session of [open, completed, unscored, stale, staler]) await sessions.insertSession(session, signal);
  await hosted.addLink(link, 10, signal);
  await hosted.addBrowserSession({ ...browserSession, linkHash: link.hash }, 10, signal);
  await reportAccess.addLink(reportLink, 10, signal);
  await reportAccess.addBrowserSession(reportBrowserSession, 10, signal);
  await brandings.saveBranding(partner.id, branding, signal);
  for (const generation of [1, 2, 3]) await signingKeys.insertSigningKey(someSigningKey(generation), signal);
  const completion = { ...someRecording([1]), completedAt: at(1) };
  await sessions.saveCompletion(completed, 0, { ...completion, results: someResults() }, signal);
  await sessions.saveCompletion(unscored, 0, { ...completion, results: null }, signal);
  await sessions.insertSession(uncounted, signal);
  await sessions.saveCompletion(uncounted, 0, { ...completion, results: null }, signal);
  await stores.groups.insertGroup(rows.group, 10, signal);
  await audit.append(chain, signal);
  await audit.insertAnchor(someAnchor(1), signal);
}

/** The calls; run in order on stored rows, each one finds, changes or removes something. */
export function storeCalls(stores: Stores, rows: Rows): StoreCall[] {
  const {
    sessions,
    idempotencyKeys,
    sessionLists,
    sessionPolicies,
    assessments,
    identities,
    hosted,
    reportAccess,
    brandings,
    signingKeys,
    maintenance,
    jobLeases,
    norms,
    groups,
    sheets,
    normPools,
    events,
    webhooks,
    deliveries,
    audit,
  } = stores;
  const { testClocks } = stores;
  const { chain } = rows;
  const { assessment, partner, client, token, open, link, browserSession, completed, unscored, uncounted } = rows;
  const { reportLink, reportBrowserSession, group } = rows;
  const pool = { assessmentId: assessment.id, language: "und" };
  const { partnerId, externalId } = open;
  const { product, version } = assessment;
  const completion = { ...someRecording([1]), completedAt: at(5), results: someResults() };
  const next = someClient({ partnerId });
  const holder = randomBytes(16);
  const { endpoint } = rows;
  const testClock = { partnerId, aheadMs: 1_000, expiredThrough: at(0) };
  const asked = [{ resourceId: unscored.id, type: "session.created" as const, occurrence: 1 }];
  const now = new Date();
  const calls: Record<string, StoreCall["call"]> = {
    "sessions.insertSession": async (signal) => {
      await sessions.insertSession(someSession({ partnerId, externalId }), signal);
      return sessions.insertSession(someSession({ partnerId, externalId, groupId: group.id }), signal);
    },
    "groups.insertGroup": (signal) => groups.insertGroup(someGroup({ partnerId, product }), 10, signal),
    "groups.findGroup": (signal) => groups.findGroup(group, signal),
    "groups.findGroupByKey": (signal) => groups.findGroupByKey(partnerId, group.idempotency.key, signal),
    "groups.listGroups": (signal) => groups.listGroups(partnerId, product, undefined, 10, signal),
    "groups.listParts": (signal) => groups.listParts(group, signal),
    "groups.countPeople": (signal) => groups.countPeople(partnerId, [group.id], signal),
    "groups.findNumbers": (signal) => groups.findNumbers(group, signal),
    "groups.listCompleted": (signal) => groups.listCompleted(group, beforeAllIds, 10, signal),
    "groups.nextDuePartner": (signal) => groups.nextDuePartner(beforeAllIds, now, signal),
    "groups.listDue": (signal) => groups.listDue(partnerId, now, 10, signal),
    "groups.countClosings": (signal) => groups.countClosings(partnerId, signal),
    "groups.closeGroup": (signal) => {
      const personId = subjectOf(partnerId, externalId).id;
      const members = [{ sessionId: completed.id, personId, answersHash: Buffer.alloc(16), sheetId: someId() }];
      const outcome = { numbers: "{}", hasSpread: false };
      return groups.closeGroup(group, { closedAt: at(5), closings: 0, members, outcome }, signal);
    },
    "sheets.listOfPeople": (signal) => sheets.listOfPeople(partnerId, [subjectOf(partnerId, externalId).id], signal),
    "sheets.findByAnswers": (signal) => sheets.findByAnswers(partnerId, [Buffer.alloc(16)], signal),
    "sheets.listPublishedWith": async (signal) => {
      const [sheet] = (await sheets.findByAnswers(partnerId, [Buffer.alloc(16)], signal)).values();
      return sheets.listPublishedWith(partnerId, [sheet ?? someId()], signal);
    },
    "sessions.findSession": (signal) => sessions.findSession(open, signal),
    "sessions.changeSession": (signal) =>
      sessions.changeSession(open, async () => ({ result: () => 1 }), false, signal),
    "sessions.findSessionByKey": (signal) => sessions.findSessionByKey(partnerId, open.idempotency.key, signal),
    "idempotencyKeys.deleteExpiredKeys": (signal) => idempotencyKeys.deleteExpiredKeys(10, now, signal),
    "idempotencyKeys.countExpiredKeys": (signal) => idempotencyKeys.countExpiredKeys(now, signal),
    "sessions.saveAnswers": (signal) => sessions.saveAnswers(open, 0, someRecording([1]), signal),
    "sessions.saveCompletion": (signal) => sessions.saveCompletion(open, 1, completion, signal),
    "sessions.saveCancellation": async (signal) => {
      await sessions.saveCancellation({ ...open, revision: 8 }, at(1), false, signal);
      return sessions.saveCancellation({ ...open, revision: 8 }, at(1), true, signal);
    },
    "sessions.saveReopening": (signal) => sessions.saveReopening({ ...open, revision: 8 }, at(9), signal),
    "sessions.listExpiryDue": (signal) => sessions.listExpiryDue(10, now, signal),
    "sessions.saveExpiry": (signal) => sessions.saveExpiry(open, now, signal),
    "sessions.findLatestCompleted": (signal) => sessions.findLatestCompleted(product, partnerId, externalId, signal),
    "sessions.listUnscored": (signal) => sessions.listUnscored(beforeAllCompletions, 10, signal),
    "sessions.saveResults": (signal) => sessions.saveResults({ ...unscored, revision: 1 }, someResults(), signal),
    "hosted.findLink": (signal) => hosted.findLink(link, signal),
    "hosted.findBrowserSession": (signal) => hosted.findBrowserSession(browserSession, signal),
    "hosted.addBrowserSession": (signal) =>
      hosted.addBrowserSession({ ...someLink(open), linkHash: link.hash }, 1, signal),
    "hosted.addLink": (signal) => hosted.addLink(someLink(open), 1, signal),
    "hosted.replaceLinks": (signal) => hosted.replaceLinks(someLink(open), signal),
    "sessions.findCompletedBefore": (signal) =>
      sessions.findCompletedBefore(product, partnerId, externalId, { completedAt: at(9), id: completed.id }, signal),
    "sessionLists.listSessions": async (signal) => {
      await sessionLists.listSessions(partnerId, product, anySession, firstPage, signal);
      await sessionLists.listSessions(partnerId, product, { ...anySession, externalId }, firstPage, signal);
      return sessionLists.listSessions(partnerId, product, { ...anySession, groupId: group.id }, firstPage, signal);
    },
    "sessionPolicies.savePolicy": (signal) => sessionPolicies.savePolicy(policyOf(partnerId), signal),
    "sessionPolicies.findPolicy": (signal) => sessionPolicies.findPolicy(partnerId, "headless", signal),
    "sessionPolicies.listPolicies": (signal) => sessionPolicies.listPolicies(undefined, 10, signal),
    "sessionPolicies.saveProgress": (signal) => sessionPolicies.saveProgress(policyOf(partnerId), open.id, signal),
    "sessionPolicies.listDeletable": (signal) =>
      sessionPolicies.listDeletable(policyOf(partnerId), undefined, 10, at(9), signal),
    "norms.listSessions": (signal) => norms.listSessions(partnerId, { externalId, id: beforeAllIds }, 10, signal),
    "norms.findNextPartner": (signal) => norms.findNextPartner(beforeAllIds, signal),
    "norms.saveRun": async (signal) => {
      const run = { partnerId, countedUntil: at(1), sessions: 1 };
      await norms.saveRun(run, null, someNorms(assessment.id), signal);
      const { published, counts } = someNorms(assessment.id);
      return norms.saveRun(
        { ...run, countedUntil: at(2) },
        at(1),
        { published: [], withdrawn: published.slice(1), counts },
        signal,
      );
    },
    "norms.findRun": (signal) => norms.findRun(partnerId, signal),
    "norms.listRuns": (signal) => norms.listRuns(beforeAllIds, 10, signal),
    "norms.listPublished": (signal) => norms.listPublished(partnerId, signal),
    "norms.findNumbers": (signal) =>
      norms.findNumbers(partnerId, { assessmentId: assessment.id, language: "und", kind: "sessions" }, signal),
    "normPools.saveParticipation": (signal) =>
      normPools.saveParticipation(partnerId, { since: at(0), isExcluded: false }, signal),
    "normPools.findParticipation": (signal) => normPools.findParticipation(partnerId, signal),
    "normPools.listParticipants": (signal) => normPools.listParticipants(beforeAllIds, 10, signal),
    "normPools.listCounts": (signal) => normPools.listCounts([partnerId], signal),
    "normPools.isDecided": (signal) => normPools.isDecided(8104, signal),
    "normPools.saveDecidedQuarter": (signal) => normPools.saveDecidedQuarter(8104, at(1), signal),
    "normPools.saveRelease": (signal) =>
      normPools.saveRelease(pool, { number: 1, quarter: 8104, histograms: Buffer.from("[]") }, at(1), signal),
    "normPools.findRelease": (signal) => normPools.findRelease(pool, signal),
    "reportAccess.findLink": (signal) => reportAccess.findLink(reportLink, signal),
    "reportAccess.findBrowserSession": (signal) => reportAccess.findBrowserSession(reportBrowserSession, signal),
    "reportAccess.recordView": (signal) =>
      reportAccess.recordView(
        { partnerId: open.partnerId, sessionId: open.id, linkHash: reportLink.hash, viewedAt: at(0) },
        signal,
      ),
    "reportAccess.saveIntention": async (signal) => {
      await reportAccess.saveIntention(reportLink, { step: "", lookAgainOn: null, setAt: at(1) }, signal);
      await reportAccess.saveIntention(reportLink, { step: "Sow", lookAgainOn: "2027-01-07", setAt: at(1) }, signal);
    },
    "reportAccess.findIntention": (signal) => reportAccess.findIntention(reportLink, signal),
    "reportAccess.addBrowserSession": (signal) =>
      reportAccess.addBrowserSession(someReportBrowserSession(open, reportLink.hash), 1, signal),
    "reportAccess.addLink": (signal) => reportAccess.addLink(someReportLink(open), 1, signal),
    "reportAccess.removeAccess": (signal) => reportAccess.removeAccess(open, signal),
    "sessions.listSessionIds": (signal) => sessions.listSessionIds(partnerId, externalId, beforeAllIds, 10, signal),
    "sessions.eraseData": async (signal) => {
      await sessions.eraseData("results", [unscored.id], someErasure(partnerId), signal);
      return sessions.eraseData("answers", [uncounted.id], someErasure(partnerId), signal);
    },
    "sessions.eraseSessions": (signal) => sessions.eraseSessions([completed.id], someErasure(partnerId), signal),
    "assessments.findLatestAssessmentId": (signal) => assessments.findLatestAssessmentId(product, signal),
    "assessments.findAssessmentId": (signal) => assessments.findAssessmentId(product, version, signal),
    "assessments.findAssessment": (signal) => assessments.findAssessment(assessment.id, signal),
    "assessments.listAssessments": (signal) => assessments.listAssessments(product, signal),
    "assessments.insertAssessment": (signal) =>
      assessments.insertAssessment(someAssessment({ id: 1000, version: 1000 }), signal),
    "assessments.findGreatestAssessmentId": (signal) => assessments.findGreatestAssessmentId(signal),
    "identities.insertPartner": (signal) => identities.insertPartner({ ...partner, id: someId() }, signal),
    "identities.findPartner": (signal) => identities.findPartner(partner.id, signal),
    "identities.listPartners": (signal) => identities.listPartners(beforeAllIds, 10, signal),
    "identities.insertClient": (signal) => identities.insertClient(next, someSecret(next.id), signal),
    "identities.listClients": (signal) => identities.listClients(partner.id, beforeAllIds, 10, signal),
    "identities.saveClientUses": (signal) => identities.saveClientUses([client.id], signal),
    "identities.findClient": (signal) => identities.findClient(client.id, signal),
    "identities.disableClient": (signal) => identities.disableClient(client.id, at(1), signal),
    "identities.addClientSecret": (signal) => identities.addClientSecret(someSecret(client.id, at(1)), 1, signal),
    "identities.listClientSecrets": (signal) => identities.listClientSecrets(client.id, signal),
    "identities.insertToken": (signal) => identities.insertToken(someToken(client.id), signal),
    "identities.findToken": (signal) => identities.findToken(token.hash, signal),
    "identities.deleteToken": (signal) => identities.deleteToken(token.hash, client.id, signal),
    "brandings.findBranding": (signal) => brandings.findBranding(partner.id, signal),
    "brandings.saveBranding": (signal) => brandings.saveBranding(partner.id, branding, signal),
    "signingKeys.listSigningKeys": (signal) => signingKeys.listSigningKeys(signal),
    "signingKeys.insertSigningKey": (signal) => signingKeys.insertSigningKey(someSigningKey(4), signal),
    "signingKeys.deleteSigningKeys": (signal) => signingKeys.deleteSigningKeys(2, signal),
    "jobLeases.takeLease": (signal) => jobLeases.takeLease("job", holder, 1000, signal),
    "jobLeases.releaseLease": (signal) => jobLeases.releaseLease("job", holder, signal),
    "testClocks.saveTestClock": (signal) => testClocks.saveTestClock({ partnerId, aheadMs: 1_000 }, at(9), signal),
    "testClocks.findTestClock": (signal) => testClocks.findTestClock(partnerId, signal),
    "testClocks.listTestClocks": (signal) => testClocks.listTestClocks(beforeAllIds, 10, signal),
    "testClocks.listExpiredByTestClock": (signal) => testClocks.listExpiredByTestClock(testClock, at(9), 10, signal),
    "testClocks.saveExpiredThrough": (signal) => testClocks.saveExpiredThrough(testClock, at(9), signal),
    "testClocks.deleteTestClock": (signal) => testClocks.deleteTestClock(partnerId, signal),
    "events.listEvents": (signal) => events.listEvents(partnerId, 0, 10, signal),
    "events.listAllEvents": (signal) => events.listAllEvents(0, 10, signal),
    "events.findPartnerBounds": (signal) => events.findPartnerBounds(partnerId, signal),
    "events.findBounds": (signal) => events.findBounds(signal),
    "events.findUnpublishedAge": (signal) => events.findUnpublishedAge(signal),
    "events.findExternalIds": (signal) => events.findExternalIds([completed, unscored], signal),
    "events.skipAhead": (signal) => events.skipAhead(signal),
    "webhooks.insertEndpoint": (signal) => webhooks.insertEndpoint(endpoint, someSealedSecret(endpoint.id), 16, signal),
    "webhooks.findEndpoint": (signal) => webhooks.findEndpoint(partnerId, endpoint.id, signal),
    "webhooks.listEndpoints": (signal) => webhooks.listEndpoints(partnerId, beforeAllIds, 16, signal),
    "webhooks.changeEndpoint": (signal) =>
      webhooks.changeEndpoint(endpoint, (found) => ({ ...found, isFresh: true, skipTo: 0 }), signal),
    "webhooks.addSecret": (signal) => webhooks.addSecret(partnerId, someSealedSecret(endpoint.id), 60, signal),
    "webhooks.listSecrets": (signal) => webhooks.listSecrets(endpoint, signal),
    "webhooks.resealSecret": (signal) => webhooks.resealSecret(partnerId, someSealedSecret(endpoint.id), signal),
    "webhooks.redeliver": (signal) => webhooks.redeliver(endpoint, asked, signal),
    "webhooks.listAttempts": (signal) => webhooks.listAttempts(endpoint, 10, 10, signal),
    "webhooks.countBacklog": (signal) => webhooks.countBacklog(endpoint, 10, signal),
    "webhooks.resumeEndpoint": (signal) => webhooks.resumeEndpoint(endpoint, signal),
    "webhooks.listParked": (signal) => webhooks.listParked(endpoint, 0, 10, signal),
    "webhooks.beginReplay": (signal) => webhooks.beginReplay(endpoint, { after: 0, until: 1 }, signal),
    "webhooks.cancelReplay": (signal) => webhooks.cancelReplay(endpoint, signal),
    "deliveries.listDueEndpoints": (signal) => deliveries.listDueEndpoints(10, signal),
    "deliveries.settleAndClaim": async (signal) => {
      const context = { now: Date.now(), isTrusted: true, monotonic: () => 0, random: randomBytes };
      const take = (sent: readonly SentDelivery[]) =>
        deliveries.settleAndClaim([{ endpoint, sentDeliveries: sent, room: 4 }], context, signal);
      const taken = { status: 204, error: null, tookMs: 3, retryAfterSeconds: null };
      const sentOf = (claims: readonly Claim[], result: SendResult) =>
        claims.flatMap((claim) => claim.deliveries.map((each) => ({ ...each, claim, at: new Date(), result })));
      const refused = await take(sentOf((await take([])).claims, { ...taken, status: 500 }));
      return take(sentOf(refused.claims, taken));
    },
    "deliveries.wakeEndpoints": (signal) => deliveries.wakeEndpoints(10, signal),
    "deliveries.readDeliveryState": (signal) => deliveries.readDeliveryState(signal),
    "deliveries.deleteExpiredDeliveries": (signal) => deliveries.deleteExpiredDeliveries(10, now, signal),
    "webhooks.deleteEndpoint": (signal) => webhooks.deleteEndpoint(partnerId, endpoint.id, signal),
    "events.expireEvents": (signal) => events.expireEvents(0, 10, now, signal),
    "exports.listExports": async (signal) => {
      await stores.exports.listExports(partnerId, undefined, beforeAllIds, 10, signal);
      return stores.exports.listExports(partnerId, rows.group.id, beforeAllIds, 10, signal);
    },
    "exports.listStored": (signal) => stores.exports.listStored(partnerId, [completed.id, unscored.id], signal),
    "exports.findNewestTime": (signal) => stores.exports.findNewestTime(someId(), Date.now(), signal),
    "subjectRecords.listSubjectRecords": (signal) =>
      stores.subjectRecords.listSubjectRecords({ partnerId, externalId }, beforeAllIds, 10, 10, signal),
    "usage.countEvents": (signal) => stores.usage.countEvents(10, signal),
    "usage.listUsage": async (signal) => {
      const days = { from: "2026-11-01", until: "2026-12-01" };
      await stores.usage.listUsage({ partnerId: undefined, ...days }, null, 10, signal);
      return stores.usage.listUsage({ partnerId, ...days }, null, 10, signal);
    },
    "usage.findCountedAt": (signal) => stores.usage.findCountedAt(signal),
    "audit.append": (signal) => audit.append(someChain(1, { partnerId }), signal),
    "audit.listRecords": async (signal) => {
      await audit.listRecords(partnerId, undefined, someAuditRange(), 10, signal);
      await audit.listRecords(partnerId, open.id, someAuditRange(), 10, signal);
    },
    "audit.listChain": (signal) => audit.listChain(chain[0]?.writer ?? "", 0, 10, signal),
    "audit.findHeadAfter": (signal) => audit.findHeadAfter(beforeAllIds, signal),
    "audit.insertAnchor": (signal) => audit.insertAnchor(someAnchor(1_000_000), signal),
    "audit.findLastAnchor": (signal) => audit.findLastAnchor(signal),
    "audit.listAnchors": (signal) => audit.listAnchors(0, 10, signal),
    "audit.removeRecords": (signal) => audit.removeRecords(chain[0]?.writer ?? "", 10, signal),
    "audit.removeAnchors": (signal) => audit.removeAnchors(1, 10, signal),
    "maintenance.deleteExpired": (signal) => maintenance.deleteExpired(10, now, signal),
  };
  return Object.entries(calls).map(([name, call]) => ({ name, call }));
}

/** The names of all methods that the stores have. */
export function methodNames(stores: Stores): string[] {
  return Object.entries(stores).flatMap(([store, methods]) =>
    Object.keys(methods).map((method) => `${store}.${method}`),
  );
}
