// Links to reports and their browser sessions: none outlives its link or its session.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { SecretName } from "../../../src/domain/identity/secrets.ts";
import {
  at,
  someErasure,
  someId,
  someReportBrowserSession,
  someReportLink,
  someSession,
} from "../../support/builders.ts";
import { countOf, runningStatements } from "../../support/databases/stores.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();

const database = await storesOfFile();

/** A session with a link to its report, which its hosted pages offer too. */
async function linkedSession() {
  const session = someSession({ personAccess: "after_completion" });
  const link = someReportLink(session);
  await database.sessions.insertSession(session, signal);
  await database.reportAccess.addLink(link, 10, signal);
  return { session, link };
}

function foundBrowserSessions(browserSessions: readonly SecretName[]): Promise<boolean[]> {
  const find = async (each: SecretName) => (await database.reportAccess.findBrowserSession(each, signal)) !== undefined;
  return Promise.all(browserSessions.map(find));
}

const viewsOf = (sessionId: string) =>
  countOf(database.connection, "SELECT COUNT(*) FROM report_views WHERE session_id = ?", [
    Buffer.from(sessionId.replaceAll("-", ""), "hex"),
  ]);

describe("report links", () => {
  test("a link of a missing session is not added", async () => {
    const link = someReportLink(someSession());
    await database.reportAccess.addLink(link, 10, signal);
    expect(await database.reportAccess.findLink(link, signal)).toBeUndefined();
  });
});

describe("browser sessions of reports", () => {
  test("browser sessions end with the link that opened them", async () => {
    const { session, link } = await linkedSession();
    const byLink = someReportBrowserSession(session, link.hash);
    const byPages = someReportBrowserSession(session, null);
    for (const each of [byLink, byPages]) await database.reportAccess.addBrowserSession(each, 10, signal);
    await database.reportAccess.addLink(someReportLink(session, { createdAt: at(1) }), 1, signal);
    expect(await foundBrowserSessions([byLink, byPages])).toEqual([false, true]);
  });

  test("browser sessions are kept up to their limit; then each new one ends the oldest", async () => {
    const { session, link } = await linkedSession();
    const browserSessions = [0, 1, 2, 3].map((ms) =>
      someReportBrowserSession(session, link.hash, { createdAt: at(ms) }),
    );
    for (const browserSession of browserSessions)
      await database.reportAccess.addBrowserSession(browserSession, 2, signal);
    expect(await foundBrowserSessions(browserSessions)).toEqual([false, false, true, true]);
  });

  test("a missing link or session opens no browser session", async () => {
    const { session } = await linkedSession();
    for (const browserSession of [
      someReportBrowserSession(session, randomBytes(32)),
      someReportBrowserSession(someSession(), null),
    ]) {
      expect(await database.reportAccess.addBrowserSession(browserSession, 10, signal)).toBe(false);
      expect(await foundBrowserSessions([browserSession])).toEqual([false]);
    }
  });

  test.each([
    ["by a link", "SELECT hash FROM report_links"],
    ["from the hosted pages", "SELECT id FROM sessions"],
  ])("browser sessions opened %s while their session is erased go with it", async (way, lock) => {
    const { session, link } = await linkedSession();
    const browserSession = someReportBrowserSession(session, way === "by a link" ? link.hash : null);
    const bytes = Buffer.from(session.id.replaceAll("-", ""), "hex");
    await database.connection.beginTransaction();
    await database.connection.query("SELECT hash FROM report_links WHERE session_id = ? FOR UPDATE", [bytes]);
    const erased = database.sessions.eraseSessions([session.id], someErasure(session.partnerId), signal);
    const waiting = async () => (await runningStatements(database.connection)).join("\n");
    await expect.poll(waiting).toContain("DELETE FROM report_links");
    const opened = database.reportAccess.addBrowserSession(browserSession, 10, signal);
    await expect.poll(waiting).toContain(lock);
    await database.connection.rollback();
    expect((await Promise.all([erased, opened]))[0]).toBe(1);
    expect(await foundBrowserSessions([browserSession])).toEqual([false]);
  });
});

describe("views of reports", () => {
  test("a view is recorded once for each minute and link, and never for a missing session", async () => {
    const { session, link } = await linkedSession();
    const { id: sessionId, partnerId } = session;
    const views = [
      { partnerId, sessionId, linkHash: link.hash, viewedAt: at(0) },
      { partnerId, sessionId, linkHash: link.hash, viewedAt: at(0) },
      { partnerId, sessionId, linkHash: null, viewedAt: at(0) },
      { partnerId, sessionId, linkHash: link.hash, viewedAt: at(60_000) },
    ];
    for (const view of views) await database.reportAccess.recordView(view, signal);
    expect(await viewsOf(sessionId)).toBe(3);
    const nobody = someId();
    await database.reportAccess.recordView({ partnerId, sessionId: nobody, linkHash: null, viewedAt: at(0) }, signal);
    expect(await viewsOf(nobody)).toBe(0);
  });
});
