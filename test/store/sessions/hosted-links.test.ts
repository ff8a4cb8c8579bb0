// A hosted session has at most so many links, the newest ones, and browser sessions never outlive their link's session.
import { randomBytes } from "node:crypto";
import type { RowDataPacket } from "mysql2/promise";
import { describe, expect, test } from "vitest";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import type { Link } from "../../../src/store/hosted/hosted-store.ts";
import { at, someErasure, someLink, someSession } from "../../support/builders.ts";
import { runningStatements } from "../../support/databases/stores.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();

const database = await storesOfFile();

/** A session that is stored. */
async function storedSession(): Promise<NewSession> {
  const session = someSession({ mode: "hosted" });
  await database.sessions.insertSession(session, signal);
  return session;
}

/** Hashes of the links of a session in hexadecimal, sorted. */
async function storedHashes(sessionId: string): Promise<string[]> {
  const sql = "SELECT hash FROM hosted_links WHERE session_id = ?";
  const bytes = Buffer.from(sessionId.replaceAll("-", ""), "hex");
  const [rows] = await database.connection.query<RowDataPacket[]>(sql, [bytes]);
  return rows.map((row) => row.hash.toString("hex")).toSorted();
}

function hashesOf(links: readonly Link[]): string[] {
  return links.map(({ hash }) => Buffer.from(hash).toString("hex")).toSorted();
}

test("links are kept up to their limit; then each new one ends the oldest", async () => {
  const session = await storedSession();
  const links = [0, 1, 2, 3, 4].map((ms) => someLink(session, { createdAt: at(ms) }));
  for (const [index, link] of links.entries()) {
    await database.hosted.addLink(link, 3, signal);
    expect(await storedHashes(session.id)).toEqual(hashesOf(links.slice(Math.max(0, index - 2), index + 1)));
  }
});

test("a new link is kept even if it is not the newest by its time", async () => {
  const session = await storedSession();
  const links = [5, 5, 5, 4].map((ms) => someLink(session, { createdAt: at(ms) }));
  for (const link of links) {
    await database.hosted.addLink(link, 2, signal);
    const stored = await storedHashes(session.id);
    expect(stored).toEqual(expect.arrayContaining(hashesOf([link])));
    expect(stored.length).toBeLessThanOrEqual(2);
  }
});

test("however many links are added at the same time, no more stay than allowed, and the newest is one of them", async () => {
  const session = await storedSession();
  const links = Array.from({ length: 8 }, (_, ms) => someLink(session, { createdAt: at(ms) }));
  await Promise.all(links.map((link) => database.hosted.addLink(link, 3, signal)));
  const stored = await storedHashes(session.id);
  expect(stored.length).toBeLessThanOrEqual(3);
  expect(stored).toEqual(expect.arrayContaining(hashesOf(links.slice(-1))));
});

test("a link of a session that is no longer there is not stored", async () => {
  const session = someSession();
  await database.hosted.addLink(someLink(session), 3, signal);
  expect(await database.hosted.replaceLinks(someLink(session), signal)).toBe(false);
  expect(await storedHashes(session.id)).toEqual([]);
});

test("a link that replaces others is the only one, of its own session and of its own partner alone", async () => {
  const [session, other] = [await storedSession(), await storedSession()];
  const elsewhere = someLink(other);
  await database.hosted.addLink(elsewhere, 3, signal);
  for (const ms of [5, 6]) await database.hosted.addLink(someLink(session, { createdAt: at(ms) }), 3, signal);
  const link = someLink(session, { createdAt: at(4) });
  expect(await database.hosted.replaceLinks(link, signal)).toBe(true);
  expect(await storedHashes(session.id)).toEqual(hashesOf([link]));
  const ofAnother = someLink({ id: session.id, partnerId: someSession().partnerId });
  expect(await database.hosted.replaceLinks(ofAnother, signal)).toBe(false);
  expect(await storedHashes(session.id)).toEqual(hashesOf([link]));
  expect(await storedHashes(other.id)).toEqual(hashesOf([elsewhere]));
});

test("one of several concurrent replacements of a link remains", async () => {
  const session = await storedSession();
  const links = Array.from({ length: 6 }, () => someLink(session));
  await Promise.all(links.map((link) => database.hosted.replaceLinks(link, signal)));
  const stored = await storedHashes(session.id);
  expect(stored).toHaveLength(1);
  expect(hashesOf(links)).toContain(stored[0]);
});

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
