// How long links and what they open work, to the millisecond.
import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type Branding, neutralBranding } from "../../../src/domain/hosted/branding.ts";
import { hashSecret, newPersonSecret } from "../../../src/domain/identity/secrets.ts";
import type { CallOrigin } from "../../../src/kernel/calls/core.ts";
import { dayMs } from "../../../src/kernel/environment.ts";
import type { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { RateLimit } from "../../../src/kernel/limits/rate-limit.ts";
import { resolveBrowserSession, resolveLink } from "../../../src/pipeline/auth/browser-session.ts";
import { UnauthenticatedLimit } from "../../../src/pipeline/limits/unauthenticated-limit.ts";
import type { ReportLink } from "../../../src/store/reports/report-access-store.ts";
import { at, someReportBrowserSession, someReportLink, someSession } from "../../support/builders.ts";

const deadline = { signal: new AbortController().signal, at: Number.MAX_SAFE_INTEGER };
const address = "192.0.2.1";
const origin: CallOrigin = { transport: "web", address, requestId: "1", traceparent: undefined, isTrusted: false };
const call = { ...deadline, origin };
const session = someSession();
const end = 10 * dayMs;
const look = { displayName: "Acme", accentColor: "#c2410c" };
const ownBranding: Branding = {
  ...look,
  logoUrl: null,
  supportText: "030 1234",
  frameAncestors: [],
  comparison: "none",
  offerLongForm: false,
};
const quota = { requests: 0, seconds: 1 };
const limits = {
  unauthenticatedCallers: new UnauthenticatedLimit(quota, () => 0),
  hostedSessions: new RateLimit(quota, () => 0),
};
const depsAt = (ms: number, branding: Partial<Branding> = {}) => ({
  clock: () => at(ms).getTime(),
  limits,
  brandings: {
    findBranding: async (partnerId: string) =>
      partnerId === session.partnerId ? { ...ownBranding, ...branding } : neutralBranding,
  },
  sessions: { findSession: async () => ({ ...session, locale: "de" }) },
});

test.each(["hostedLink", "reportLink"] as const)("a %s works until its end, and not in that moment", async (kind) => {
  const token = newPersonSecret(kind, randomBytes, session.partnerId);
  const link = someReportLink(session, { hash: hashSecret(token), expiresAt: at(end) });
  const findAt = (ms: number, given = token) => {
    const find = async () => link;
    return resolveLink(depsAt(ms), { kind, find }, given, call);
  };
  expect(await findAt(end - 1)).toBe(link);
  await expect(findAt(end)).rejects.toMatchObject({ facts: { link: "expired", ...look, locale: "de" } });
  await expect(findAt(0, `${token}x`)).rejects.toMatchObject({ code: "not_found", facts: look });
});

test.each(["hostedLink", "reportLink", "reportCard"] as const)(
  "the error for a %s that is over has the look of its partner: of the stored link's language, else of what its token names",
  async (kind) => {
    const token = newPersonSecret(kind, randomBytes, session.partnerId);
    const refusalOf = async (given: string, link?: ReportLink, branding: Partial<Branding> = {}) => {
      const secrets = { kind, find: async () => link };
      const resolving = resolveLink(depsAt(end, branding), secrets, given, call);
      return (await resolving.catch((error: Refusal) => error)) as Refusal;
    };
    const logoUrl = "https://acme.example/logo.svg";
    const stored = someReportLink(session, { hash: hashSecret(token), expiresAt: at(end), locale: "fr" });
    expect(await refusalOf(token, stored, { logoUrl })).toMatchObject({
      facts: { link: "expired", ...look, logoUrl, locale: "fr" },
    });
    expect((await refusalOf(token)).facts).toEqual({ link: "expired", ...look });
    expect((await refusalOf(token, undefined, { logoUrl: "data:image/png;base64,AAAA" })).facts).toEqual({
      link: "expired",
      ...look,
    });
    expect((await refusalOf(token.slice(0, 40))).facts).toEqual(look);
    for (const unreadable of [token.slice(0, 20), `${token.slice(0, 10)}!${token.slice(11)}`, "", "x"]) {
      expect(await refusalOf(unreadable)).toMatchObject({ code: "not_found", facts: {} });
    }
    expect((await refusalOf(newPersonSecret(kind, randomBytes, randomUUID()))).facts).toEqual({ link: "expired" });
  },
);

test.each(["hostedBrowserSession", "reportBrowserSession"] as const)(
  "a %s lasts until its end, and not in that moment",
  async (kind) => {
    const token = newPersonSecret(kind, randomBytes, session.partnerId);
    const browserSession = someReportBrowserSession(session, null, { hash: hashSecret(token), expiresAt: at(end) });
    const findAt = (ms: number, given = token) => {
      const find = async () => browserSession;
      const credential = { token: given, address };
      return resolveBrowserSession(depsAt(ms), { kind, find }, credential, (lookUp) => lookUp(deadline));
    };
    expect(await findAt(end - 1)).toBe(browserSession);
    await expect(findAt(end)).rejects.toMatchObject({ code: "unauthenticated", facts: look });
    const other = newPersonSecret("hostedLink", randomBytes, session.partnerId);
    await expect(findAt(0, other)).rejects.toMatchObject({ code: "unauthenticated", facts: {} });
  },
);
