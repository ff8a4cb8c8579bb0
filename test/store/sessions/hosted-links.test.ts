// A hosted session has at most so many links, the newest ones.

import type { RowDataPacket } from "mysql2/promise";
import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import type { Link } from "../../../src/store/hosted/hosted-store.ts";
import { at, someLink, someSession } from "../../support/builders.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";

const database = await storesOfFile();

/** Hashes of the links of a session in hexadecimal, sorted. */
async function storedHashes(sessionId: string): Promise<string[]> {
  const sql = "SELECT hash FROM hosted_links WHERE session_id = ?";
  const [rows] = await database.connection.query<RowDataPacket[]>(sql, [uuidToBytes(sessionId)]);
  return rows.map((row) => row.hash.toString("hex")).toSorted();
}

function hashesOf(links: readonly Link[]): string[] {
  return links.map(({ hash }) => Buffer.from(hash).toString("hex")).toSorted();
}

test("a new link is kept even if it is not the newest by its time", async () => {
  const session = await storeSession(database, { mode: "hosted" });
  const links = [5, 5, 5, 4].map((ms) => someLink(session, { createdAt: at(ms) }));
  for (const link of links) {
    await database.hosted.addLink(link, 2, signal);
    const stored = await storedHashes(session.id);
    expect(stored).toEqual(expect.arrayContaining(hashesOf([link])));
    expect(stored.length).toBeLessThanOrEqual(2);
  }
});

test("however many links are added at the same time, no more stay than allowed, and the newest is one of them", async () => {
  const session = await storeSession(database, { mode: "hosted" });
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
  const [session, other] = [
    await storeSession(database, { mode: "hosted" }),
    await storeSession(database, { mode: "hosted" }),
  ];
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
  const session = await storeSession(database, { mode: "hosted" });
  const links = Array.from({ length: 6 }, () => someLink(session));
  await Promise.all(links.map((link) => database.hosted.replaceLinks(link, signal)));
  const stored = await storedHashes(session.id);
  expect(stored).toHaveLength(1);
  expect(hashesOf(links)).toContain(stored[0]);
});
