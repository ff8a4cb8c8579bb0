// How long links and what they open work, to the millisecond.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { hashSecret, newPersonSecret } from "../../../src/domain/identity/secrets.ts";
import { dayMs } from "../../../src/kernel/timers.ts";
import { findReportBrowserSession, sessionOfBrowser } from "../../../src/pipeline/auth/browser-session.ts";
import { findLink } from "../../../src/services/hosted/hosted-sessions.ts";
import { findReportLink } from "../../../src/services/reports/report-access.ts";
import { at, someReportBrowserSession, someReportLink, someSession } from "../../support/builders.ts";

const deadline = { signal: new AbortController().signal, at: Number.MAX_SAFE_INTEGER };
const session = someSession();
const end = 10 * dayMs;
const over = { code: "not_found", facts: { link: "expired" } };

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
