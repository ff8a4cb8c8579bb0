// What a partner decides of its sessions in general, over gRPC: which policies are sound, and what becomes of new
// sessions.

import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { PartnerService } from "../../src/gen/assessment/v1/partner_service_pb.ts";
import { SessionMode } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { BadRequestSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { bodyOf } from "../e2e/cases/case.ts";
import { appOfFile, clientOfFile } from "../support/of-file.ts";
import { bearer } from "../support/transports/grpc-client.ts";
import { restTransport } from "../support/transports/rest-transport.ts";

const { getSessionPolicies, updateSessionPolicy } = PartnerService.method;
const dayMs = 24 * 60 * 60 * 1000;
const hosted = { mode: "hosted", redirectUrl: "https://partner.example/done" } as const;

const app = await appOfFile();
const client = clientOfFile(app);
const credentials = await app.addClient(await app.addPartner({ internal: true }), ["admin"]);
const admin = bearer(await app.tokenOf(credentials));

test("a partner has no policies at first, an update replaces one of them, and an empty one removes it", async () => {
  const partnerId = await app.addPartner();
  const stored = async () => (await client.unary(getSessionPolicies, { partnerId }, admin)).policies;
  expect(await stored()).toMatchObject([{ mode: SessionMode.HEADLESS }, { mode: SessionMode.HOSTED }]);
  const policy = {
    mode: SessionMode.HOSTED,
    expiresAfterDays: 30,
    deleteCompletedAfterDays: 365,
    deleteOpenAfterDays: 90,
    deleteAnswersAfterDays: 30,
    deleteResultsAfterDays: 180,
  };
  expect((await client.unary(updateSessionPolicy, { partnerId, policy }, admin)).policy).toMatchObject(policy);
  expect((await stored())[1]).toMatchObject(policy);
  expect((await stored())[0]?.expiresAfterDays).toBeUndefined();
  await client.unary(updateSessionPolicy, { partnerId, policy: { mode: SessionMode.HOSTED } }, admin);
  expect((await stored())[1]?.deleteOpenAfterDays).toBeUndefined();
});

test.each([
  ["no mode", {}, "policy.mode"],
  ["a mode that there is none of", { mode: 9 as SessionMode }, "policy.mode"],
  ["no day", { mode: SessionMode.HOSTED, expiresAfterDays: 0 }, "policy.expires_after_days"],
  ["a day more than five years", { mode: SessionMode.HOSTED, expiresAfterDays: 1_827 }, "policy.expires_after_days"],
  ["an end of headless sessions", { mode: SessionMode.HEADLESS, expiresAfterDays: 1 }, "policy.expires_after_days"],
  ["a negative time", { mode: SessionMode.HOSTED, deleteOpenAfterDays: -1 }, "policy.delete_open_after_days"],
  ["no day of answers", { mode: SessionMode.HOSTED, deleteAnswersAfterDays: 0 }, "policy.delete_answers_after_days"],
  ["ages of results", { mode: SessionMode.HOSTED, deleteResultsAfterDays: 36_501 }, "policy.delete_results_after_days"],
  ["ages", { mode: SessionMode.HOSTED, deleteCompletedAfterDays: 36_501 }, "policy.delete_completed_after_days"],
])("a policy with %s is refused by its place", async (_, policy, field) => {
  const partnerId = await app.addPartner();
  const error = await client.unary(updateSessionPolicy, { partnerId, policy }, admin).catch(ConnectError.from);
  if (!(error instanceof ConnectError)) throw new Error("the policy was stored");
  expect(error.code).toBe(Code.InvalidArgument);
  const [details] = error.findDetails(BadRequestSchema);
  expect(details?.fieldViolations.map((violation) => violation.field)).toEqual([field]);
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
  const byPolicy = await statusOf(hosted);
  expect(Date.parse(byPolicy.expiresAt ?? "") - Date.parse(byPolicy.createdAt)).toBeLessThanOrEqual(3 * dayMs + 1);
  expect(Date.parse(byPolicy.expiresAt ?? "") - Date.parse(byPolicy.createdAt)).toBeGreaterThan(3 * dayMs - 60_000);
  const expiresAt = new Date(Date.now() + 9 * dayMs).toISOString();
  expect(await statusOf({ ...hosted, expiresAt })).toMatchObject({ expiresAt });
  expect(await statusOf({})).not.toHaveProperty("expiresAt");
  await client.unary(updateSessionPolicy, { partnerId, policy: { mode: SessionMode.HOSTED } }, admin);
  expect(await statusOf(hosted)).not.toHaveProperty("expiresAt");
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
