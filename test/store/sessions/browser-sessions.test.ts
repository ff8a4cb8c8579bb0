// Browser sessions of hosted pages and of reports: none outlives its link or its session, and nothing that a person stores by
// one outlives it, or the results that it shows.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { SecretKey } from "../../../src/domain/identity/secrets.ts";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import {
  at,
  someErasure,
  someId,
  someLink,
  someRecording,
  someReportBrowserSession,
  someReportLink,
  someResults,
  someSession,
} from "../../support/builders.ts";
import { lockRows, untilRunning } from "../../support/databases/locks.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { countOf } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

const database = await storesOfFile();
const { connection, hosted, reportAccess, sessions } = database;

type Store = typeof hosted | typeof reportAccess;

/** A session that offers its report, with a link. */
async function linkedSession(store: Store) {
  const session = await storeSession(database, { mode: "hosted", personAccess: "after_completion" });
  const link = someReportLink(session);
  await store.addLink(link, 10, signal);
  return { session, link };
}

/** The same, completed with results, with a browser session of its report and a step that was chosen by it. */
async function openedReport() {
  const { session, link } = await linkedSession(reportAccess);
  const completion = { ...someRecording([1]), completedAt: at(5), results: someResults() };
  await sessions.saveCompletion(session, 0, completion, signal);
  const browserSession = someReportBrowserSession(session, link.hash);
  await reportAccess.addBrowserSession(browserSession, 10, signal);
  await reportAccess.saveIntention(link, { step: "Sow", lookAgainOn: null, setAt: at(5) }, signal);
  // Another step would be another event.
  await sequenceEvents(database);
  return { session, browserSession };
}

/** Which of them are there. */
function open(store: Store, browserSessions: readonly SecretKey[]): Promise<boolean[]> {
  return Promise.all(browserSessions.map(async (each) => (await store.findBrowserSession(each, signal)) !== undefined));
}

/** Begins something that waits for rows of a session, and something else behind it, and lets both go on. */
async function together<T, U>(
  rows: "hosted_links" | "report_links" | "report_intentions",
  sessionId: string,
  first: () => Promise<T>,
  second: () => Promise<U>,
  lock = `SELECT hash FROM ${rows}`,
): Promise<[T, U]> {
  const held = `SELECT session_id FROM ${rows} WHERE session_id = ? FOR UPDATE`;
  const release = await lockRows(database, held, [uuidToBytes(sessionId)]);
  const begun = first();
  await untilRunning(database, `DELETE FROM ${rows}`);
  const behind = second();
  await untilRunning(database, lock);
  await release();
  return Promise.all([begun, behind]);
}

describe.each([
  { kind: "hosted pages", store: hosted, links: "hosted_links" },
  { kind: "reports", store: reportAccess, links: "report_links" },
] as const)("of $kind", ({ store, links }) => {
  test("browser sessions are kept up to their limit; then each new one ends the oldest of its session", async () => {
    const [{ session, link }, other] = [await linkedSession(store), await linkedSession(store)];
    const elsewhere = someReportBrowserSession(other.session, other.link.hash);
    await store.addBrowserSession(elsewhere, 2, signal);
    const four = [0, 1, 2, 3].map((ms) => someReportBrowserSession(session, link.hash, { createdAt: at(ms) }));
    for (const each of four) await store.addBrowserSession(each, 2, signal);
    expect(await open(store, [...four, elsewhere])).toEqual([false, false, true, true, true]);
  });

  test("a link that is gone, and a session that is not there, open no browser session", async () => {
    const { session } = await linkedSession(store);
    const missing = [
      someReportBrowserSession(session, randomBytes(32)),
      someReportBrowserSession(someSession({ personAccess: "after_completion" }), null),
    ];
    for (const each of missing) expect(await store.addBrowserSession(each, 10, signal)).toBe(false);
    expect(await open(store, missing)).toEqual([false, false]);
  });

  test("browser sessions go with their session, also one that is opened during the erasure", async () => {
    const { session, link } = await linkedSession(store);
    const [early, late] = [link.hash, link.hash].map((hash) => someReportBrowserSession(session, hash));
    if (early === undefined || late === undefined) throw new Error("no browser sessions");
    await store.addBrowserSession(early, 10, signal);
    const erase = () => sessions.eraseSessions([session.id], someErasure(session.partnerId), signal);
    // Whichever comes first: what was opened is erased, or it is not opened.
    const add = () => store.addBrowserSession(late, 10, signal);
    expect((await together(links, session.id, erase, add))[0]).toBe(1);
    expect(await open(store, [early, late])).toEqual([false, false]);
  });
});

test("a link to hosted pages that was replaced opens nothing, even while it is being replaced", async () => {
  const { session, link } = await linkedSession(hosted);
  const browserSessions = [0, 1].map(() => ({ ...someLink(session), linkHash: link.hash }));
  const [early, late] = browserSessions.map((each) => () => hosted.addBrowserSession(each, 10, signal));
  await early?.();
  const replace = () => hosted.replaceLinks(someLink(session), signal);
  expect((await together("hosted_links", session.id, replace, async () => late?.()))[0]).toBe(true);
  expect(await open(hosted, browserSessions)).toEqual([false, false]);
});

test("browser sessions of a report end with the link that opened them, and those of hosted pages stay", async () => {
  const { session, link } = await linkedSession(reportAccess);
  const both = [link.hash, null].map((hash) => someReportBrowserSession(session, hash));
  for (const each of both) await reportAccess.addBrowserSession(each, 10, signal);
  await reportAccess.addLink(someReportLink(session, { createdAt: at(1) }), 1, signal);
  expect(await open(reportAccess, both)).toEqual([false, true]);
});

test("a browser session that hosted pages open for a report while their session is erased goes with it", async () => {
  const { session } = await linkedSession(reportAccess);
  const late = someReportBrowserSession(session, null);
  const erase = () => sessions.eraseSessions([session.id], someErasure(session.partnerId), signal);
  const add = () => reportAccess.addBrowserSession(late, 10, signal);
  expect(await together("report_links", session.id, erase, add, "SELECT id FROM sessions")).toEqual([1, false]);
  expect(await open(reportAccess, [late])).toEqual([false]);
});

interface ReportEnd {
  readonly end: string;
  /** Rows that the removal waits for, after it has locked the session. */
  readonly waitsFor: "report_links" | "report_intentions";
  readonly remove: (session: NewSession) => Promise<unknown>;
}

const deletions: readonly ReportEnd[] = [
  {
    end: "its results are deleted",
    waitsFor: "report_intentions",
    remove: ({ partnerId, id }) => sessions.eraseData("results", [id], someErasure(partnerId), signal),
  },
  {
    end: "its session is erased",
    waitsFor: "report_links",
    remove: ({ partnerId, id }) => sessions.eraseSessions([id], someErasure(partnerId), signal),
  },
];
const revocation: ReportEnd = {
  end: "its links are revoked",
  waitsFor: "report_links",
  remove: (session) => reportAccess.removeAccess(session, signal),
};

test.each([...deletions, revocation])(
  "a report takes no picture while and after $end",
  async ({ waitsFor, remove }) => {
    const { session, browserSession } = await openedReport();
    const card = someReportLink(session, { card: "pas_rc_1" });
    const share = () => reportAccess.addCard(card, browserSession, signal);
    const find = () => reportAccess.findCard(browserSession, at(1), signal);
    expect([await share(), await find()]).toEqual([true, { card: "pas_rc_1", locale: null }]);
    await reportAccess.removeCard(browserSession, signal);
    const end = () => remove(session);
    const [, isShared] = await together(waitsFor, session.id, end, share, "SELECT id FROM sessions");
    expect([isShared, await share(), await find()]).toEqual([false, false, undefined]);
  },
);

test.each(deletions)(
  "a report takes no step while and after $end, and none is announced",
  async ({ waitsFor, remove }) => {
    const { session, browserSession } = await openedReport();
    const step = { step: "Reap", lookAgainOn: null, setAt: at(6) };
    const set = () => reportAccess.saveIntention(browserSession, step, signal);
    const end = () => remove(session);
    const [, isSet] = await together(waitsFor, session.id, end, set, "SELECT id FROM sessions");
    expect([isSet, await set()]).toEqual([false, false]);
    expect(await reportAccess.findIntention(browserSession, signal)).toBeUndefined();
    const announcedAgain = "SELECT COUNT(*) FROM sessions WHERE id = ? AND intentions > 1";
    expect(await countOf(connection, announcedAgain, [uuidToBytes(session.id)])).toBe(0);
  },
);

test("a session without results takes no step and no picture", async () => {
  const { session, link } = await linkedSession(reportAccess);
  const browserSession = someReportBrowserSession(session, link.hash);
  await reportAccess.addBrowserSession(browserSession, 10, signal);
  const step = { step: "Sow", lookAgainOn: null, setAt: at(1) };
  expect(await reportAccess.saveIntention(link, step, signal)).toBe(false);
  const card = someReportLink(session, { card: "pas_rc_1" });
  expect(await reportAccess.addCard(card, browserSession, signal)).toBe(false);
  expect([await reportAccess.findIntention(link, signal), await reportAccess.findCard(link, at(1), signal)]).toEqual([
    undefined,
    undefined,
  ]);
});

test("a view of a report is recorded once for each minute and link, and never for a missing session", async () => {
  const { session, link } = await linkedSession(reportAccess);
  const { id: sessionId, partnerId } = session;
  const viewsOf = (id: string) =>
    countOf(connection, "SELECT COUNT(*) FROM report_views WHERE session_id = ?", [uuidToBytes(id)]);
  for (const [linkHash, ms] of [
    [link.hash, 0],
    [link.hash, 0],
    [null, 0],
    [link.hash, 60_000],
  ] as const) {
    await reportAccess.recordView({ partnerId, sessionId, linkHash, viewedAt: at(ms) }, signal);
  }
  expect(await viewsOf(sessionId)).toBe(3);
  const nobody = someId();
  await reportAccess.recordView({ partnerId, sessionId: nobody, linkHash: null, viewedAt: at(0) }, signal);
  expect(await viewsOf(nobody)).toBe(0);
});
