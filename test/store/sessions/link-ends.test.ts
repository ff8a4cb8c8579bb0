// How long links and what they open work, to the millisecond, and what the error says of one that is over.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { neutralBranding } from "../../../src/domain/hosted/branding.ts";
import { createPersonSecret, hashSecret } from "../../../src/domain/identity/secrets.ts";
import type { CallOrigin } from "../../../src/kernel/calls/core.ts";
import type { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { RateLimit } from "../../../src/limits/rate-limit.ts";
import { resolveBrowserSession, resolveLink } from "../../../src/pipeline/auth/browser-session.ts";
import { UnauthenticatedLimit } from "../../../src/pipeline/limits/unauthenticated-limit.ts";
import { at, someReportBrowserSession, someReportLink } from "../../support/builders.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const address = "192.0.2.1";
const origin: CallOrigin = { transport: "web", address, requestId: "1", traceparent: undefined, isTrusted: false };
const call = { signal, endsAt: Number.POSITIVE_INFINITY, origin };
const look = { displayName: "Acme", accentColor: "#c2410c" };
const quota = { requests: 0, seconds: 1 };
const limits = {
  unauthenticatedCallers: new UnauthenticatedLimit(quota, () => 0),
  hostedSessions: new RateLimit(quota, () => 0),
};

const database = await storesOfFile();
const { hosted, reportAccess, brandings } = database;
const session = await storeSession(database, { locale: "de" });
const { partnerId } = session;
const branding = { ...neutralBranding, ...look, supportText: "030 1234" };
await brandings.saveBranding(partnerId, branding, signal);
const depsAt = (ms: number) => ({ ...testDependencies(database, { clock: () => at(ms).getTime() }), limits });

test.each([
  ["hostedLink", hosted],
  ["reportLink", reportAccess],
] as const)("a %s works until its end, and not in that moment", async (kind, store) => {
  const token = createPersonSecret(kind, randomBytes, partnerId);
  await store.addLink(someReportLink(session, { hash: hashSecret(token), expiresAt: at(1_000) }), 10, signal);
  const findAt = (ms: number, text = token) => resolveLink(depsAt(ms), { kind, find: store.findLink }, text, call);
  expect(await findAt(999)).toMatchObject({ sessionId: session.id });
  await expect(findAt(1_000)).rejects.toMatchObject({ metadata: { link: "expired", ...look, locale: "de" } });
  await expect(findAt(0, `${token}x`)).rejects.toMatchObject({ code: "not_found", metadata: look });
});

test.each([
  ["hostedBrowserSession", hosted],
  ["reportBrowserSession", reportAccess],
] as const)("a %s lasts until its end, and not in that moment", async (kind, store) => {
  const token = createPersonSecret(kind, randomBytes, partnerId);
  const link = someReportLink(session);
  await store.addLink(link, 10, signal);
  const ending = { hash: hashSecret(token), expiresAt: at(1_000) };
  await store.addBrowserSession(someReportBrowserSession(session, link.hash, ending), 10, signal);
  const findAt = (ms: number, text = token) => {
    const secrets = { kind, find: store.findBrowserSession };
    return resolveBrowserSession(depsAt(ms), secrets, { token: text, address }, (lookUp) => lookUp(call));
  };
  expect(await findAt(999)).toMatchObject({ sessionId: session.id });
  await expect(findAt(1_000)).rejects.toMatchObject({ code: "unauthenticated", metadata: look });
  const other = createPersonSecret("hostedLink", randomBytes, partnerId);
  await expect(findAt(0, other)).rejects.toMatchObject({ code: "unauthenticated", metadata: {} });
});

test("the error for a link that is over has the logo of its partner, unless that is a picture of its own", async () => {
  const token = createPersonSecret("reportLink", randomBytes, partnerId);
  const metadataWith = async (logoUrl: string) => {
    await brandings.saveBranding(partnerId, { ...branding, logoUrl }, signal);
    const secrets = { kind: "reportLink", find: reportAccess.findLink } as const;
    const error = await resolveLink(depsAt(0), secrets, token, call).catch((each: Refusal) => each);
    return (error as Refusal).metadata;
  };
  const elsewhere = "https://acme.example/logo.svg";
  expect(await metadataWith(elsewhere)).toEqual({ link: "expired", ...look, logoUrl: elsewhere });
  expect(await metadataWith("data:image/png;base64,AAAA")).toEqual({ link: "expired", ...look });
});
