// What operators decide for a partner, over gRPC: its branding and the policies of its sessions.
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { PartnerService } from "../../src/gen/assessment/v1/partner_service_pb.ts";
import { SessionMode } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { bodyOf } from "../e2e/cases/case.ts";
import { addOperator } from "../support/app.ts";
import { appOfFile, clientOfFile } from "../support/of-file.ts";
import { refusal, violationsOf } from "../support/transports/grpc-client.ts";
import { restTransport } from "../support/transports/rest-transport.ts";

interface Branding {
  readonly displayName?: string | undefined;
  readonly logoUrl?: string | undefined;
  readonly accentColor?: string | undefined;
  readonly supportText?: string | undefined;
  readonly frameAncestors?: string[];
  readonly offerLongForm?: boolean;
}

const { getBranding, updateBranding } = PartnerService.method;

const app = await appOfFile();
const client = clientOfFile(app);
const admin = await addOperator(app, "admin");

/** The members of a branding that are set. */
function membersOf(branding: Branding): Branding {
  const { displayName, logoUrl, accentColor, supportText, frameAncestors = [], offerLongForm = false } = branding;
  const members = { displayName, logoUrl, accentColor, supportText };
  return {
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
    ...(frameAncestors.length === 0 ? {} : { frameAncestors }),
    ...(offerLongForm ? { offerLongForm } : {}),
  };
}

async function stored(partnerId: string): Promise<Branding> {
  const { branding } = await client.unary(getBranding, { partnerId }, admin);
  return membersOf(branding ?? {});
}

const png = (length: number) => `data:image/png;base64,${"A".repeat(length - 22)}`;

test("a partner has no branding at first, an update replaces all of it, and an empty one removes it", async () => {
  const partnerId = await app.addPartner();
  expect(await stored(partnerId)).toEqual({});
  const whole = { displayName: "Acme", logoUrl: "https://acme.example/logo.svg", accentColor: "#336699" };
  Object.assign(whole, { supportText: "Call Ana: 030 1234.", frameAncestors: ["https://acme.example"] });
  Object.assign(whole, { offerLongForm: true });
  const { branding } = await client.unary(updateBranding, { partnerId, branding: whole }, admin);
  expect(membersOf(branding ?? {})).toEqual(whole);
  expect(await stored(partnerId)).toEqual(whole);
  await client.unary(updateBranding, { partnerId, branding: { displayName: "Acme" } }, admin);
  expect(await stored(partnerId)).toEqual({ displayName: "Acme" });
  await client.unary(updateBranding, { partnerId }, admin);
  expect(await stored(partnerId)).toEqual({});
});

test.each<Branding>([
  { displayName: "Zürich & Söhne <b>" },
  { displayName: "\u{1f642}".repeat(60) },
  { logoUrl: "https://b\u00fccher_1.example:8443/a;b,c'd" },
  { logoUrl: `https://cdn.example/${"a".repeat(2028)}` },
  { logoUrl: png(16_384) },
  { accentColor: "#00ff7f" },
  { supportText: "\u{1f642}".repeat(300) },
  { offerLongForm: true },
  { frameAncestors: ["https://a.example", "https://b.example:8443", "http://localhost", "http://localhost:3000"] },
  { frameAncestors: Array.from({ length: 10 }, (_, index) => `https://${index}.${"abcdefg.".repeat(31)}ab:65535`) },
])("the branding %j is stored", async (branding) => {
  const partnerId = await app.addPartner();
  await client.unary(updateBranding, { partnerId, branding }, admin);
  expect(await stored(partnerId)).toEqual(branding);
});

test("colours are stored in lower case", async () => {
  const partnerId = await app.addPartner();
  await client.unary(updateBranding, { partnerId, branding: { accentColor: "#ABCDEF" } }, admin);
  expect(await stored(partnerId)).toEqual({ accentColor: "#abcdef" });
});

test("origins are kept in their usual form, each once", async () => {
  const partnerId = await app.addPartner();
  const frameAncestors = ["https://A.Example:443", "https://a.example", "http://LOCALHOST:080"];
  await client.unary(updateBranding, { partnerId, branding: { frameAncestors } }, admin);
  expect(await stored(partnerId)).toEqual({ frameAncestors: ["https://a.example", "http://localhost"] });
});

test.each<[Branding, ...string[]]>([
  [{ displayName: "" }, "branding.display_name TOO_SHORT"],
  [{ displayName: " \u2003" }, "branding.display_name TOO_SHORT"],
  [{ displayName: "\u{1f642}".repeat(61) }, "branding.display_name TOO_LONG"],
  [{ displayName: "a\u0007" }, "branding.display_name INVALID_CHARACTERS"],
  [{ logoUrl: "" }, "branding.logo_url INVALID_FORMAT"],
  [{ logoUrl: "http://cdn.example/logo.png" }, "branding.logo_url INVALID_FORMAT"],
  [{ logoUrl: "https://user:secret@cdn.example/" }, "branding.logo_url INVALID_FORMAT"],
  [{ logoUrl: "https://a;sandbox/x" }, "branding.logo_url INVALID_FORMAT"],
  [{ logoUrl: "data:text/html;base64,PHN2Zy8+" }, "branding.logo_url INVALID_FORMAT"],
  [{ logoUrl: "data:image/svg+xml,<svg/>" }, "branding.logo_url INVALID_FORMAT"],
  [{ logoUrl: `https://cdn.example/${"a".repeat(2029)}` }, "branding.logo_url TOO_LONG"],
  [{ logoUrl: png(16_385) }, "branding.logo_url TOO_LONG"],
  [{ accentColor: "#00ff7f;}" }, "branding.accent_color INVALID_FORMAT"],
  [{ supportText: " " }, "branding.support_text TOO_SHORT"],
  [{ supportText: "a".repeat(301) }, "branding.support_text TOO_LONG"],
  [{ supportText: "one\ntwo" }, "branding.support_text INVALID_CHARACTERS"],
  ...[
    "",
    "*",
    "http://a.example",
    "https://a.example/",
    "https://a.example/path",
    "https://*.a.example",
    "https://user@a.example",
    "https://a.example:65536",
    "https://a.example; script-src *",
    "https://a.example https://b.example",
    `https://${"a".repeat(254)}`,
    "https://\u00fc.example",
  ].map((origin): [Branding, string] => [
    { frameAncestors: ["https://b.example", origin] },
    "branding.frame_ancestors[1] INVALID_FORMAT",
  ]),
  [
    { frameAncestors: Array.from({ length: 11 }, (_, index) => `https://${index}.example`) },
    "branding.frame_ancestors TOO_MANY_ITEMS",
  ],
  [
    { displayName: "", logoUrl: "x", accentColor: "x" },
    "branding.display_name TOO_SHORT",
    "branding.logo_url INVALID_FORMAT",
    "branding.accent_color INVALID_FORMAT",
  ],
])("the branding %j is refused with a violation for each field", async (branding, ...faults) => {
  const partnerId = await app.addPartner();
  expect(await violationsOf(client.unary(updateBranding, { partnerId, branding }, admin))).toEqual(faults);
  expect(await stored(partnerId)).toEqual({});
});

test("the branding of an unknown partner is not found", async () => {
  for (const partnerId of ["x", "00000000-0000-7000-8000-000000000000"]) {
    const branding = { displayName: "Acme" };
    expect((await refusal(client.unary(getBranding, { partnerId }, admin))).code).toBe(Code.NotFound);
    expect((await refusal(client.unary(updateBranding, { partnerId, branding }, admin))).code).toBe(Code.NotFound);
  }
});

const { getSessionPolicies, updateSessionPolicy } = PartnerService.method;
const dayMs = 24 * 60 * 60 * 1000;
const hostedMode = { mode: "hosted", redirectUrl: "https://partner.example/done" } as const;

test("a partner has no policies at first, an update replaces one of them, and an empty one removes it", async () => {
  const partnerId = await app.addPartner();
  const storedPolicies = async () => (await client.unary(getSessionPolicies, { partnerId }, admin)).policies;
  expect(await storedPolicies()).toMatchObject([{ mode: SessionMode.HEADLESS }, { mode: SessionMode.HOSTED }]);
  const policy = {
    mode: SessionMode.HOSTED,
    expiresAfterDays: 30,
    deleteCompletedAfterDays: 365,
    deleteOpenAfterDays: 90,
    deleteAnswersAfterDays: 30,
    deleteResultsAfterDays: 180,
  };
  expect((await client.unary(updateSessionPolicy, { partnerId, policy }, admin)).policy).toMatchObject(policy);
  expect((await storedPolicies())[1]).toMatchObject(policy);
  expect((await storedPolicies())[0]?.expiresAfterDays).toBeUndefined();
  await client.unary(updateSessionPolicy, { partnerId, policy: { mode: SessionMode.HOSTED } }, admin);
  expect((await storedPolicies())[1]?.deleteOpenAfterDays).toBeUndefined();
});

test.each([
  ["no mode", {}, "policy.mode"],
  ["a mode that there is none of", { mode: 9 as SessionMode }, "policy.mode"],
  ["no day", { mode: SessionMode.HOSTED, expiresAfterDays: 0 }, "policy.expires_after_days"],
  ["a day more than five years", { mode: SessionMode.HOSTED, expiresAfterDays: 1_827 }, "policy.expires_after_days"],
  ["an end of headless sessions", { mode: SessionMode.HEADLESS, expiresAfterDays: 1 }, "policy.expires_after_days"],
  ["ages of results", { mode: SessionMode.HOSTED, deleteResultsAfterDays: 36_501 }, "policy.delete_results_after_days"],
])("a policy with %s is refused by its place", async (_, policy, field) => {
  const partnerId = await app.addPartner();
  const violations = await violationsOf(client.unary(updateSessionPolicy, { partnerId, policy }, admin));
  expect(violations).toEqual([expect.stringContaining(`${field} `)]);
});

test("hosted sessions expire by the policy unless they say otherwise, headless ones never, and a changed policy leaves them as they are", async () => {
  const partnerId = await app.addPartner();
  const token = await app.tokenOf(await app.addClient(partnerId, ["sessions:write", "sessions:read"]));
  const transport = restTransport(app.httpUrl);
  const policy = { mode: SessionMode.HOSTED, expiresAfterDays: 3 };
  await client.unary(updateSessionPolicy, { partnerId, policy }, admin);
  const statusOf = async (input: Parameters<typeof transport.createSession>[1]) => {
    const { sessionId } = bodyOf(await transport.createSession({ token }, input));
    return bodyOf(await transport.getSession({ token }, sessionId));
  };
  const byPolicy = await statusOf(hostedMode);
  expect(Date.parse(byPolicy.expiresAt ?? "") - Date.parse(byPolicy.createdAt)).toBeLessThanOrEqual(3 * dayMs + 1);
  expect(Date.parse(byPolicy.expiresAt ?? "") - Date.parse(byPolicy.createdAt)).toBeGreaterThan(3 * dayMs - 60_000);
  const expiresAt = new Date(Date.now() + 9 * dayMs).toISOString();
  expect(await statusOf({ ...hostedMode, expiresAt })).toMatchObject({ expiresAt });
  expect(await statusOf({})).not.toHaveProperty("expiresAt");
  await client.unary(updateSessionPolicy, { partnerId, policy: { mode: SessionMode.HOSTED } }, admin);
  expect(await statusOf(hostedMode)).not.toHaveProperty("expiresAt");
  expect(bodyOf(await transport.getSession({ token }, byPolicy.sessionId))).toEqual(byPolicy);
});

test("policies of an unknown partner are not found", async () => {
  const partnerId = "00000000-0000-7000-8000-000000000000";
  const policy = { mode: SessionMode.HOSTED };
  for (const call of [
    client.unary(getSessionPolicies, { partnerId }, admin),
    client.unary(updateSessionPolicy, { partnerId, policy }, admin),
  ]) {
    await expect(call).rejects.toMatchObject({ code: Code.NotFound });
  }
});
