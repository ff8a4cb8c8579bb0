// How long links and what they open work, to the millisecond.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { hashSecret, newPersonSecret } from "../../../src/domain/identity/secrets.ts";
import { dayMs } from "../../../src/kernel/environment.ts";
import { RateLimit } from "../../../src/kernel/limits/rate-limit.ts";
import { resolveBrowserSession, resolveLink } from "../../../src/pipeline/auth/browser-session.ts";
import { UnauthenticatedLimit } from "../../../src/pipeline/limits/unauthenticated-limit.ts";
import { at, someReportBrowserSession, someReportLink, someSession } from "../../support/builders.ts";

const deadline = { signal: new AbortController().signal, at: Number.MAX_SAFE_INTEGER };
const session = someSession();
const end = 10 * dayMs;
const over = { code: "not_found", facts: { link: "expired" } };
const quota = { requests: 0, seconds: 1 };
const limits = {
  unauthenticatedCallers: new UnauthenticatedLimit(quota, () => 0),
  hostedSessions: new RateLimit(quota, () => 0),
};
const depsAt = (ms: number) => ({ clock: () => at(ms).getTime(), limits });

test.each(["hostedLink", "reportLink"] as const)("a %s works until its end, and not in that moment", async (kind) => {
  const token = newPersonSecret(kind, randomBytes, session.partnerId);
  const link = someReportLink(session, { hash: hashSecret(token), expiresAt: at(end) });
  const findAt = (ms: number, given = token) => {
    const find = async () => link;
    return resolveLink(depsAt(ms), { kind, find }, { token: given, address: "192.0.2.1" }, deadline);
  };
  expect(await findAt(end - 1)).toBe(link);
  await expect(findAt(end)).rejects.toMatchObject(over);
  await expect(findAt(0, `${token}x`)).rejects.toMatchObject({ code: "not_found", facts: {} });
});

test.each(["hostedBrowserSession", "reportBrowserSession"] as const)(
  "a %s lasts until its end, and not in that moment",
  async (kind) => {
    const token = newPersonSecret(kind, randomBytes, session.partnerId);
    const browserSession = someReportBrowserSession(session, null, { hash: hashSecret(token), expiresAt: at(end) });
    const findAt = (ms: number, given = token) => {
      const find = async () => browserSession;
      const credential = { token: given, address: "192.0.2.1" };
      return resolveBrowserSession(depsAt(ms), { kind, find }, credential, (lookUp) => lookUp(deadline));
    };
    expect(await findAt(end - 1)).toBe(browserSession);
    await expect(findAt(end)).rejects.toMatchObject({ code: "unauthenticated" });
    const other = newPersonSecret("hostedLink", randomBytes, session.partnerId);
    await expect(findAt(0, other)).rejects.toMatchObject({ code: "unauthenticated" });
  },
);
