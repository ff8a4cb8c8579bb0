// The operators' services over gRPC: partners, clients, publication.

import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { AssessmentService } from "../../src/gen/assessment/v1/assessment_service_pb.ts";
import { PartnerService } from "../../src/gen/assessment/v1/partner_service_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { TokenService } from "../../src/gen/assessment/v1/token_service_pb.ts";
import { addCaller, addOperator } from "../support/app.ts";
import { appOfFile, clientOfFile } from "../support/of-file.ts";
import { refusal, violationsOf } from "../support/transports/grpc-client.ts";
import { soundDefinition } from "../support/values-bridge/definition.ts";

const app = await appOfFile();
const client = clientOfFile(app);
const admin = await addOperator(app, "admin");

const partners = PartnerService.method;
const tokens = TokenService.method;

test("a partner and a client made over gRPC can obtain a token and use it", async () => {
  const { partnerId } = await client.unary(partners.createPartner, { name: "Acme" }, admin);
  const scopes = ["sessions:write", "sessions:read"];
  const created = await client.unary(partners.createClient, { partnerId, name: "Backend", scopes }, admin);
  const issued = await client.unary(tokens.issueToken, {
    clientId: created.clientId,
    clientSecret: created.clientSecret,
  });
  expect(issued).toMatchObject({ expiresIn: 3600, scopes });
  const metadata = { authorization: `Bearer ${issued.accessToken}` };
  const session = await client.unary(SessionService.method.createSession, { product: "values-bridge" }, { metadata });
  expect(session.variant.case).toBe("headless");
  await client.unary(tokens.revokeToken, { ...created, token: issued.accessToken } as never);
  const refused = client.unary(SessionService.method.createSession, { product: "values-bridge" }, { metadata });
  expect((await refusal(refused)).code).toBe(Code.Unauthenticated);
});

test("the clients of a partner are listed, with scopes and the age of their secrets", async () => {
  const { partnerId } = await client.unary(partners.createPartner, { name: "Acme" }, admin);
  const { partnerId: other } = await client.unary(partners.createPartner, { name: "Other" }, admin);
  await client.unary(partners.createClient, { partnerId: other, name: "theirs", scopes: ["results:read"] }, admin);
  const created = [];
  for (const name of ["C1", "C2", "C3"]) {
    created.push(await client.unary(partners.createClient, { partnerId, name, scopes: ["results:read"] }, admin));
  }
  const [, rotated, disabled] = created.map(({ clientId }) => ({ clientId }));
  await client.unary(partners.rotateClientSecret, rotated ?? {}, admin);
  await client.unary(partners.disableClient, disabled ?? {}, admin);
  const { clients: listed } = await client.unary(partners.listClients, { partnerId }, admin);
  expect(listed.map(({ clientId }) => clientId)).toEqual(created.map(({ clientId }) => clientId));
  const secrets = listed.map(({ secretsCreatedAt }) => secretsCreatedAt.map(timestampMs));
  expect(secrets.map((times) => times.length)).toEqual([1, 2, 1]);
  expect(secrets[1]).toEqual(secrets[1]?.toSorted((one, another) => another - one));
  expect(listed.map(({ name, scopes }) => ({ name, scopes }))).toEqual(
    ["C1", "C2", "C3"].map((name) => ({ name, scopes: ["results:read"] })),
  );
  expect(listed.map(({ disabledAt }) => disabledAt !== undefined)).toEqual([false, false, true]);
});

test("clients are listed with when they last called, which outlives the process that they called", async () => {
  const partnerId = await app.addPartner();
  const called = await app.addClient(partnerId, ["sessions:read"]);
  const idle = await app.addClient(partnerId, ["sessions:read"]);
  const lastUses = async () => {
    const { clients } = await client.unary(partners.listClients, { partnerId }, admin);
    return new Map(clients.map(({ clientId, lastUsedAt }) => [clientId, lastUsedAt && timestampMs(lastUsedAt)]));
  };
  expect([...(await lastUses()).values()]).toEqual([undefined, undefined]);
  const metadata = { authorization: `Bearer ${await app.tokenOf(called)}` };
  await client.unary(SessionService.method.listSessions, { product: "values-bridge" }, { metadata });
  await app.stopService();
  await app.startService();
  const first = await lastUses();
  expect([first.get(called.clientId), first.get(idle.clientId)]).toEqual([expect.any(Number), undefined]);
  // A call that is refused for its scope is a use of the token as well.
  const refused = client.unary(AssessmentService.method.listAssessmentVersions, {}, { metadata });
  expect((await refusal(refused)).code).toBe(Code.PermissionDenied);
  await app.stopService();
  await app.startService();
  expect((await lastUses()).get(called.clientId)).toBeGreaterThan(first.get(called.clientId) ?? Number.NaN);
});

test("usage of an unknown partner is not found, and each violation names its field", async () => {
  const usage = (input: MessageInitShape<typeof partners.getUsage.input>) =>
    client.unary(partners.getUsage, input, admin);
  expect((await refusal(usage({ partnerId: crypto.randomUUID() }))).code).toBe(Code.NotFound);
  expect((await refusal(usage({}))).code).toBe(Code.NotFound);
  expect(await violationsOf(usage({ from: "2025-11-20", until: "2026-11-22" }))).toEqual(["from OUT_OF_RANGE"]);
  expect(await violationsOf(usage({ from: "yesterday", until: "2026-02-30" }))).toEqual([
    "from INVALID_FORMAT",
    "until INVALID_FORMAT",
  ]);
});

test("each violation of a request names its field", async () => {
  expect(await violationsOf(client.unary(partners.createPartner, { name: " " }, admin))).toEqual(["name TOO_SHORT"]);
  const { partnerId } = await client.unary(partners.createPartner, { name: "Acme" }, admin);
  const faulty = client.unary(partners.createClient, { partnerId, name: " ", scopes: ["nonsense", "admin"] }, admin);
  expect(await violationsOf(faulty)).toEqual(["name TOO_SHORT", "scopes[0] UNKNOWN_SCOPE", "scopes[1] INTERNAL_SCOPE"]);
  const none = client.unary(partners.createClient, { partnerId, name: "x", scopes: [] }, admin);
  expect(await violationsOf(none)).toEqual(["scopes TOO_FEW_ITEMS"]);
  const ofNobody = { partnerId: crypto.randomUUID(), name: "x", scopes: ["results:read"] };
  for (const [method, message] of [
    [partners.createClient, { ...ofNobody, partnerId: "x" }],
    [partners.createClient, ofNobody],
    [partners.listClients, ofNobody],
  ] as const) {
    expect((await refusal(client.unary(method as DescMethodUnary, message, admin))).code).toBe(Code.NotFound);
  }
  for (const list of [partners.listPartners, partners.listClients] as const) {
    for (const pageSize of [-1, 1_001]) {
      expect(await violationsOf(client.unary(list, { partnerId, pageSize }, admin))).toEqual([
        "page_size OUT_OF_RANGE",
      ]);
    }
    expect(await violationsOf(client.unary(list, { partnerId, pageToken: "x" }, admin))).toEqual([
      "page_token INVALID_FORMAT",
    ]);
  }
});

test("headers of a gateway are ignored unless a gateway sent them", async () => {
  const { token } = await addCaller(app);
  const metadata = { "gateway-authorization": `Bearer ${token}`, "caller-address": "203.0.113.9" };
  const refused = client.unary(tokens.introspect, { token }, { metadata });
  expect((await refusal(refused)).code).toBe(Code.Unauthenticated);
});

test("published definitions are listed with the number of their questions, and each violation of one has its place", async () => {
  const { publishAssessment, listAssessmentVersions } = AssessmentService.method;
  const publish = (definition: string) => client.unary(publishAssessment, { definition }, admin);
  const { values, ...rest } = soundDefinition();
  await publish(JSON.stringify({ ...rest, values, product: "other-product" }));
  const { versions } = await client.unary(listAssessmentVersions, { product: "other-product" }, admin);
  expect(versions).toMatchObject([{ version: 1, questionCount: 2 * values.flatMap(({ items }) => items).length }]);
  expect((await violationsOf(publish("{}"))).length).toBeGreaterThan(5);
  expect(await violationsOf(publish("{"))).toEqual(["definition NOT_JSON"]);
});
