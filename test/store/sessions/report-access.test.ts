// Links to reports and their browser sessions: none outlives its link or its session.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { SecretName } from "../../../src/domain/identity/secrets.ts";
import {
  at,
  someErasure,
  someId,
  someRecording,
  someReportBrowserSession,
  someReportLink,
  someSession,
} from "../../support/builders.ts";
import { countOf, runningStatements } from "../../support/databases/stores.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();
const soon = { timeout: 30_000, interval: 10 };

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

describe("links", () => {
  test("of a session that is not there are not added", async () => {
    const link = someReportLink(someSession());
    await database.reportAccess.addLink(link, 10, signal);
    expect(await database.reportAccess.findLink(link, signal)).toBeUndefined();
  });
});

describe("visits", () => {
  test("are kept until there are as many as allowed; then each new one ends the oldest", async () => {
    const { session, link } = await linkedSession();
    const browserSessions = [0, 1, 2, 3].map((ms) =>
      someReportBrowserSession(session, link.hash, { createdAt: at(ms) }),
    );
    for (const browserSession of browserSessions)
      await database.reportAccess.addBrowserSession(browserSession, 2, signal);
    expect(await foundBrowserSessions(browserSessions)).toEqual([false, false, true, true]);
  });

  test("from the hosted pages are not added once the offer of a completed session is ended; by a new link they are", async () => {
    const { session } = await linkedSession();
    const opened = someReportBrowserSession(session, null);
    const isAdded = () => database.reportAccess.addBrowserSession(opened, 10, signal);
    await database.reportAccess.removeAccess(session, signal);
    expect(await isAdded()).toBe(true);
    const completion = { ...someRecording([1]), completedAt: at(1), results: null };
    expect(await database.sessions.saveCompletion(session, 0, completion, signal)).toBe(true);
    await database.reportAccess.removeAccess(session, signal);
    expect(await isAdded()).toBe(false);
    expect(await database.sessions.findSession(session, signal)).toMatchObject({ personAccess: "none", revision: 1 });
    const link = someReportLink(session);
    await database.reportAccess.addLink(link, 10, signal);
    const byLink = someReportBrowserSession(session, link.hash);
    expect(await database.reportAccess.addBrowserSession(byLink, 10, signal)).toBe(true);
  });

  test("of a link or a session that is gone are not added", async () => {
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
    ["by a link", true],
    ["from the hosted pages", false],
  ])("opened %s while their session is erased go with it", async (_way, isByLink) => {
    const { session, link } = await linkedSession();
    const browserSession = someReportBrowserSession(session, isByLink ? link.hash : null);
    const bytes = Buffer.from(session.id.replaceAll("-", ""), "hex");
    await database.connection.beginTransaction();
    await database.connection.query("SELECT hash FROM report_links WHERE session_id = ? FOR UPDATE", [bytes]);
    const erased = database.sessions.eraseSessions([session.id], someErasure(session.partnerId), signal);
    const waiting = async () => (await runningStatements(database.connection)).join("\n");
    await expect.poll(waiting, soon).toContain("DELETE FROM report_links");
    const opened = database.reportAccess.addBrowserSession(browserSession, 10, signal);
    await expect.poll(waiting, soon).toContain("SELECT id FROM sessions");
    await database.connection.rollback();
    expect((await Promise.all([erased, opened]))[0]).toBe(1);
    expect(await foundBrowserSessions([browserSession])).toEqual([false]);
  });
});

describe("views", () => {
  test("are one for each minute and way, and none of a session that is not there", async () => {
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
