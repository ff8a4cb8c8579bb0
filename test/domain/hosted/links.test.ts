// How long links and what they open work, to the millisecond.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type Branding, neutralBranding } from "../../../src/domain/hosted/branding.ts";
import { createPersonSecret, hashSecret } from "../../../src/domain/identity/secrets.ts";
import type { CallOrigin } from "../../../src/kernel/calls/core.ts";
import { dayMs } from "../../../src/kernel/environment.ts";
import type { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { RateLimit } from "../../../src/limits/rate-limit.ts";
import { resolveBrowserSession, resolveLink } from "../../../src/pipeline/auth/browser-session.ts";
import { UnauthenticatedLimit } from "../../../src/pipeline/limits/unauthenticated-limit.ts";
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
  const token = createPersonSecret(kind, randomBytes, session.partnerId);
  const link = someReportLink(session, { hash: hashSecret(token), expiresAt: at(end) });
  const findAt = (ms: number, given = token) => {
    const find = async () => link;
    return resolveLink(depsAt(ms), { kind, find }, given, call);
  };
  expect(await findAt(end - 1)).toBe(link);
  await expect(findAt(end)).rejects.toMatchObject({ metadata: { link: "expired", ...look, locale: "de" } });
  await expect(findAt(0, `${token}x`)).rejects.toMatchObject({ code: "not_found", metadata: look });
});

test("the error for a link that is over has the logo of its partner, unless that is a picture of its own", async () => {
  const token = createPersonSecret("reportLink", randomBytes, session.partnerId);
  const metadataWith = async (logoUrl: string) => {
    const secrets = { kind: "reportLink", find: async () => undefined } as const;
    const error = await resolveLink(depsAt(end, { logoUrl }), secrets, token, call).catch((each: Refusal) => each);
    return (error as Refusal).metadata;
  };
  const elsewhere = "https://acme.example/logo.svg";
  expect(await metadataWith(elsewhere)).toEqual({ link: "expired", ...look, logoUrl: elsewhere });
  expect(await metadataWith("data:image/png;base64,AAAA")).toEqual({ link: "expired", ...look });
});

test.each(["hostedBrowserSession", "reportBrowserSession"] as const)(
  "a %s lasts until its end, and not in that moment",
  async (kind) => {
    const token = createPersonSecret(kind, randomBytes, session.partnerId);
    const browserSession = someReportBrowserSession(session, null, { hash: hashSecret(token), expiresAt: at(end) });
    const findAt = (ms: number, given = token) => {
      const find = async () => browserSession;
      const credential = { token: given, address };
      return resolveBrowserSession(depsAt(ms), { kind, find }, credential, (lookUp) => lookUp(deadline));
    };
    expect(await findAt(end - 1)).toBe(browserSession);
    await expect(findAt(end)).rejects.toMatchObject({ code: "unauthenticated", metadata: look });
    const other = createPersonSecret("hostedLink", randomBytes, session.partnerId);
    await expect(findAt(0, other)).rejects.toMatchObject({ code: "unauthenticated", metadata: {} });
  },
);
