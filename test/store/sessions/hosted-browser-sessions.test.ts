// Browser sessions never outlive their link's session.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { at, someErasure, someLink, someSession } from "../../support/builders.ts";
import { runningStatements } from "../../support/databases/stores.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();

const database = await storesOfFile();

/** A session with a link. */
async function linkedSession() {
  const session = someSession({ mode: "hosted", redirectUrl: "https://example.com/" });
  const link = someLink(session);
  await database.sessions.insertSession(session, signal);
  await database.hosted.addLink(link, 10, signal);
  return { session, link };
}

describe("browser sessions of hosted pages", () => {
  test("browser sessions are kept up to their limit; then each new one ends the oldest of its session", async () => {
    const { session, link } = await linkedSession();
    const other = await linkedSession();
    const elsewhere = someLink(other.session);
    await database.hosted.addBrowserSession({ ...elsewhere, linkHash: other.link.hash }, 2, signal);
    const browserSessions = [0, 1, 2, 3].map((ms) => someLink(session, { createdAt: at(ms) }));
    for (const browserSession of browserSessions)
      await database.hosted.addBrowserSession({ ...browserSession, linkHash: link.hash }, 2, signal);
    const found = await Promise.all(
      [...browserSessions, elsewhere].map((each) => database.hosted.findBrowserSession(each, signal)),
    );
    expect(found.map((browserSession) => browserSession !== undefined)).toEqual([false, false, true, true, true]);
  });

  test("a link that is gone opens no browser session", async () => {
    const { session } = await linkedSession();
    const browserSession = someLink(session);
    expect(await database.hosted.addBrowserSession({ ...browserSession, linkHash: randomBytes(32) }, 10, signal)).toBe(
      false,
    );
    expect(await database.hosted.findBrowserSession(browserSession, signal)).toBeUndefined();
  });

  test("browser sessions go with their session, also one that is opened during the erasure", async () => {
    const { session, link } = await linkedSession();
    const [early, late] = [someLink(session), someLink(session)];
    await database.hosted.addBrowserSession({ ...early, linkHash: link.hash }, 10, signal);
    await database.connection.beginTransaction();
    const bytes = Buffer.from(session.id.replaceAll("-", ""), "hex");
    await database.connection.query("SELECT hash FROM hosted_links WHERE session_id = ? FOR UPDATE", [bytes]);
    const erased = database.sessions.eraseSessions([session.id], someErasure(session.partnerId), signal);
    const waiting = async () => (await runningStatements(database.connection)).join("\n");
    await expect.poll(waiting).toContain("DELETE FROM hosted_links");
    const opened = database.hosted.addBrowserSession({ ...late, linkHash: link.hash }, 10, signal);
    await expect.poll(waiting).toContain("SELECT hash FROM hosted_links");
    await database.connection.rollback();
    // Whichever comes first: what was opened is erased, or it is not opened.
    expect((await Promise.all([erased, opened]))[0]).toBe(1);
    for (const each of [early, late]) expect(await database.hosted.findBrowserSession(each, signal)).toBeUndefined();
  });
});

test("a replaced link opens nothing, even while it is being replaced", async () => {
  const { session, link } = await linkedSession();
  const { hosted, connection } = database;
  const [early, late] = [someLink(session), someLink(session)];
  await hosted.addBrowserSession({ ...early, linkHash: link.hash }, 10, signal);
  await connection.beginTransaction();
  const bytes = Buffer.from(session.id.replaceAll("-", ""), "hex");
  await connection.query("SELECT hash FROM hosted_links WHERE session_id = ? FOR UPDATE", [bytes]);
  const replaced = hosted.replaceLinks(someLink(session), signal);
  const waiting = async () => (await runningStatements(connection)).join("\n");
  await expect.poll(waiting).toContain("DELETE FROM hosted_links");
  const opened = hosted.addBrowserSession({ ...late, linkHash: link.hash }, 10, signal);
  await expect.poll(waiting).toContain("SELECT hash FROM hosted_links");
  await connection.rollback();
  // Whichever comes first: what was opened ends, or it is not opened.
  expect((await Promise.all([replaced, opened]))[0]).toBe(true);
  for (const each of [early, late]) expect(await hosted.findBrowserSession(each, signal)).toBeUndefined();
});
