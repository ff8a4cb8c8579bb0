// Browser sessions of hosted pages and of reports: none outlives its link or its session.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/statement.ts";
import type { SecretName } from "../../../src/domain/identity/secrets.ts";
import {
  at,
  someErasure,
  someId,
  someLink,
  someReportBrowserSession,
  someReportLink,
  someSession,
} from "../../support/builders.ts";
import { countOf, runningStatements } from "../../support/databases/stores.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();

const database = await storesOfFile();
const { connection, hosted, reportAccess, sessions } = database;

type Store = typeof hosted | typeof reportAccess;

/** A session that offers its report, with a link. */
async function linkedSession(store: Store) {
  const session = someSession({ mode: "hosted", redirectUrl: "https://a.example/", personAccess: "after_completion" });
  const link = someReportLink(session);
  await sessions.insertSession(session, signal);
  await store.addLink(link, 10, signal);
  return { session, link };
}

/** Which of them are there. */
function open(store: Store, browserSessions: readonly SecretName[]): Promise<boolean[]> {
  return Promise.all(browserSessions.map(async (each) => (await store.findBrowserSession(each, signal)) !== undefined));
}

/** Begins something that waits for the links of a session, and something else behind it, and lets both go on. */
async function together<T>(
  links: "hosted_links" | "report_links",
  sessionId: string,
  first: () => Promise<T>,
  second: () => Promise<unknown>,
  lock = `SELECT hash FROM ${links}`,
): Promise<T> {
  await connection.beginTransaction();
  const held = `SELECT hash FROM ${links} WHERE session_id = ? FOR UPDATE`;
  await connection.query(held, [uuidToBytes(sessionId)]);
  const waiting = async () => (await runningStatements(connection)).join("\n");
  const begun = first();
  await expect.poll(waiting).toContain(`DELETE FROM ${links}`);
  const behind = second();
  await expect.poll(waiting).toContain(lock);
  await connection.rollback();
  return (await Promise.all([begun, behind]))[0];
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
    expect(await together(links, session.id, erase, () => store.addBrowserSession(late, 10, signal))).toBe(1);
    expect(await open(store, [early, late])).toEqual([false, false]);
  });
});

test("a link to hosted pages that was replaced opens nothing, even while it is being replaced", async () => {
  const { session, link } = await linkedSession(hosted);
  const browserSessions = [0, 1].map(() => ({ ...someLink(session), linkHash: link.hash }));
  const [early, late] = browserSessions.map((each) => () => hosted.addBrowserSession(each, 10, signal));
  await early?.();
  const replace = () => hosted.replaceLinks(someLink(session), signal);
  expect(await together("hosted_links", session.id, replace, async () => late?.())).toBe(true);
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
  expect(await together("report_links", session.id, erase, add, "SELECT id FROM sessions")).toBe(1);
  expect(await open(reportAccess, [late])).toEqual([false]);
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
