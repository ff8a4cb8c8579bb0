// How long links and what they open work, to the millisecond; and which of two ends of a link a caller is told.
import { randomBytes } from "node:crypto";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { hashSecret, isTestSecret, newPersonSecret, type SecretName } from "../../../src/domain/identity/secrets.ts";
import type { HostedSession } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { twinOf } from "../../../src/kernel/test-tenant.ts";
import { dayMs } from "../../../src/kernel/timers.ts";
import { findReportBrowserSession, sessionOfBrowser } from "../../../src/pipeline/auth/browser-session.ts";
import { findLink, openBrowserSession } from "../../../src/services/hosted/hosted-sessions.ts";
import { addSessionLink } from "../../../src/services/hosted/session-links.ts";
import { findReportLink } from "../../../src/services/reports/report-access.ts";
import type { HostedBrowserSession, HostedLink } from "../../../src/store/hosted/hosted-store.ts";
import { at, someId, someLink, someReportBrowserSession, someReportLink, someSession } from "../../support/builders.ts";

const deadline = { signal: new AbortController().signal, at: Number.MAX_SAFE_INTEGER };
const session = someSession();
const end = 10 * dayMs;
const over = { code: "not_found", facts: { link: "expired" } };

/** Links and browser sessions in memory, at a time. */
function hostedAt(ms: number) {
  const links: HostedLink[] = [];
  const opened: HostedBrowserSession[] = [];
  const held = (hash: Uint8Array) => (each: { hash: Uint8Array }) => Buffer.from(each.hash).equals(hash);
  const hosted = {
    addLink: async (link: HostedLink) => void links.push(link),
    replaceLinks: async () => false,
    findLink: async ({ hash }: SecretName) => links.find(held(hash)),
    addBrowserSession: async (each: HostedBrowserSession, linkHash: Uint8Array) => {
      if (!links.some(held(linkHash))) return false;
      opened.push(each);
      return true;
    },
    findBrowserSession: async ({ hash }: SecretName) => opened.find(held(hash)),
  };
  return {
    hosted,
    links,
    opened,
    clock: () => at(ms).getTime(),
    random: randomBytes,
    pagesUrl: () => "https://pages.example",
  };
}

test.each([
  ["a link", "hostedLink", findLink],
  ["a report link", "reportLink", findReportLink],
] as const)("%s works until its end, and not in that moment", async (_, kind, find) => {
  const token = newPersonSecret(kind, randomBytes, session.partnerId);
  const link = someReportLink(session, { hash: hashSecret(token), expiresAt: at(end) });
  const findLink = async () => link;
  const findAt = (ms: number, given = token) => {
    const clock = () => at(ms).getTime();
    return find({ hosted: { findLink }, reportAccess: { findLink }, clock } as never, given, deadline);
  };
  expect(await findAt(end - 1)).toBe(link);
  await expect(findAt(end)).rejects.toMatchObject(over);
  await expect(findAt(0, `${token}x`)).rejects.toMatchObject({ code: "not_found", facts: {} });
});

test.each([
  ["a hosted session", "hostedBrowserSession", sessionOfBrowser, { partnerId: session.partnerId, id: session.id }],
  ["a report", "reportBrowserSession", findReportBrowserSession, { sessionId: session.id }],
] as const)("a browser session of %s lasts until its end, and not in that moment", async (_, kind, find, found) => {
  const token = newPersonSecret(kind, randomBytes, session.partnerId);
  const browserSession = someReportBrowserSession(session, null, { hash: hashSecret(token), expiresAt: at(end) });
  const findBrowserSession = async () => browserSession;
  const findAt = (ms: number, given = token) => {
    const clock = () => at(ms).getTime();
    const store = { findBrowserSession };
    return find({ hosted: store, reportAccess: store, clock } as never, given, deadline);
  };
  expect(await findAt(end - 1)).toMatchObject(found);
  expect(await findAt(end)).toBeUndefined();
  expect(await findAt(0, newPersonSecret("hostedLink", randomBytes, session.partnerId))).toBeUndefined();
});

test("a browser session lasts as long as its link, and a day at least", async () => {
  const world = hostedAt(0);
  const endsOf = async (ms: number) => {
    const link = someLink(session, { expiresAt: at(ms) });
    world.links.push(link);
    return (await openBrowserSession(world, link, deadline)).expiresAt;
  };
  expect(await Promise.all([1, dayMs, dayMs + 1].map(endsOf))).toEqual([at(dayMs), at(dayMs), at(dayMs + 1)]);
  const { partnerId, id: sessionId } = session;
  expect(world.opened).toMatchObject(Array(3).fill({ partnerId, sessionId, createdAt: at(0) }));
  await expect(openBrowserSession(world, someLink(session), deadline)).rejects.toMatchObject(over);
});

describe("a new link", () => {
  const endOf = ({ expiresAt }: HostedSession) => expiresAt && timestampDate(expiresAt);
  const tokenOf = ({ hostedUrl }: HostedSession) => hostedUrl.split("/").at(-1) ?? "";
  const none = { expiresAt: null, linkExpiresAt: undefined };

  test("works for seven days unless it is told when to end, and is held as a hash", async () => {
    const world = hostedAt(0);
    const [first, second] = [
      await addSessionLink(world, session, none, deadline),
      await addSessionLink(world, session, { ...none, linkExpiresAt: at(end) }, deadline),
    ];
    expect([endOf(first), endOf(second)]).toEqual([at(7 * dayMs), at(end)]);
    const { partnerId, id: sessionId } = session;
    const of = { partnerId, sessionId, createdAt: at(0) };
    expect(world.links).toEqual([
      { ...of, hash: hashSecret(tokenOf(first)), expiresAt: at(7 * dayMs) },
      { ...of, hash: hashSecret(tokenOf(second)), expiresAt: at(end) },
    ]);
  });

  test.each([
    ["before its session does", end + 1, end],
    ["with its session", end, end],
    ["after its session, which it is told with then", end - 1, end - 1],
  ])("that ends %s", async (_, sessionEnds, told) => {
    const times = { expiresAt: at(sessionEnds), linkExpiresAt: at(end) };
    const world = hostedAt(0);
    expect(endOf(await addSessionLink(world, session, times, deadline))).toEqual(at(told));
    expect(world.links[0]?.expiresAt).toEqual(at(end));
  });

  test("of a test twin says so, ends by the time of everybody, and is told by the twin's clock", async () => {
    const world = hostedAt(0);
    const twin = { id: someId(), partnerId: twinOf(session.partnerId) ?? "" };
    const timed = { ...world, clock: () => at(dayMs).getTime(), credentialClock: world.clock };
    const links = [
      await addSessionLink(timed, twin, none, deadline),
      await addSessionLink(timed, twin, { ...none, linkExpiresAt: at(end) }, deadline),
    ];
    expect(links.map(endOf)).toEqual([at(8 * dayMs), at(end)]);
    expect(links.map((link) => isTestSecret("hostedLink", tokenOf(link)))).toEqual([true, true]);
    expect(world.links.map(({ createdAt, expiresAt }) => [createdAt, expiresAt])).toEqual([
      [at(0), at(7 * dayMs)],
      [at(0), at(end - dayMs)],
    ]);
  });
});
