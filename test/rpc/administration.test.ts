// The operators' services over gRPC: partners, clients, publication.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AssessmentService } from "../../src/gen/assessment/v1/assessment_service_pb.ts";
import { PartnerService } from "../../src/gen/assessment/v1/partner_service_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { TokenService } from "../../src/gen/assessment/v1/token_service_pb.ts";
import { BadRequestSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";
import { soundDefinition } from "../support/definition.ts";
import { GrpcClient } from "../support/grpc-client.ts";

let app: TestApp;
let client: GrpcClient;
let admin: { metadata: Record<string, string> };
beforeAll(async () => {
  app = await startTestApp();
  client = new GrpcClient(app.grpcAddress);
  const credentials = await app.addClient(await app.addPartner({ internal: true }), ["admin"]);
  admin = { metadata: { authorization: `Bearer ${await app.tokenOf(credentials)}` } };
});
afterAll(async () => {
  client.close();
  await app.stop();
});

function refusalOf(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (error: ConnectError) => error,
  );
}

async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  const error = await refusalOf(call);
  expect(error.code).toBe(Code.InvalidArgument);
  const violations = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  return violations.map(({ field, reason }) => `${field} ${reason}`);
}

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
  expect((await refusalOf(refused)).code).toBe(Code.Unauthenticated);
});

test("two secrets of a client live side by side, and a third ends the oldest", async () => {
  const { partnerId } = await client.unary(partners.createPartner, { name: "Acme" }, admin);
  const created = await client.unary(partners.createClient, { partnerId, name: "B", scopes: ["results:read"] }, admin);
  const { clientId, clientSecret: first } = created;
  const isLive = async (clientSecret: string) =>
    client.unary(tokens.issueToken, { clientId, clientSecret }).then(
      () => true,
      () => false,
    );
  const { clientSecret: second } = await client.unary(partners.rotateClientSecret, { clientId }, admin);
  expect([await isLive(first), await isLive(second)]).toEqual([true, true]);
  const { clientSecret: third } = await client.unary(partners.rotateClientSecret, { clientId }, admin);
  expect([await isLive(first), await isLive(second), await isLive(third)]).toEqual([false, true, true]);
});

test("a disabled client obtains no token", async () => {
  const { partnerId } = await client.unary(partners.createPartner, { name: "Acme" }, admin);
  const created = await client.unary(partners.createClient, { partnerId, name: "B", scopes: ["results:read"] }, admin);
  const { clientId, clientSecret } = created;
  await client.unary(partners.disableClient, { clientId }, admin);
  const refused = client.unary(tokens.issueToken, { clientId, clientSecret });
  expect((await refusalOf(refused)).code).toBe(Code.Unauthenticated);
});

test("partners are listed page by page", async () => {
  const names = ["P1", "P2", "P3"];
  for (const name of names) await client.unary(partners.createPartner, { name }, admin);
  const listed: string[] = [];
  let pageToken = "";
  do {
    const page = await client.unary(partners.listPartners, { pageSize: 2, pageToken }, admin);
    expect(page.partners.length).toBeLessThanOrEqual(2);
    listed.push(...page.partners.map((partner) => partner.name));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  expect(listed.slice(-3)).toEqual(names);
});

test("the clients of a partner are listed page by page, with scopes and the age of their secrets", async () => {
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
  const first = await client.unary(partners.listClients, { partnerId, pageSize: 2 }, admin);
  const { nextPageToken: pageToken } = first;
  const second = await client.unary(partners.listClients, { partnerId, pageSize: 2, pageToken }, admin);
  expect(second.nextPageToken).toBe("");
  const listed = [...first.clients, ...second.clients];
  expect(listed.map(({ clientId }) => clientId)).toEqual(created.map(({ clientId }) => clientId));
  const secrets = listed.map(({ secretsCreatedAt }) => secretsCreatedAt.map(timestampMs));
  expect(secrets.map((times) => times.length)).toEqual([1, 2, 1]);
  expect(secrets[1]).toEqual(secrets[1]?.toSorted((one, another) => another - one));
  expect(listed.map(({ name, scopes }) => ({ name, scopes }))).toEqual(
    ["C1", "C2", "C3"].map((name) => ({ name, scopes: ["results:read"] })),
  );
  expect(listed.map(({ disabledAt }) => disabledAt !== undefined)).toEqual([false, false, true]);
});

test("the clients of a partner that is unknown, or of a page that is none, are not listed", async () => {
  const unknown = client.unary(partners.listClients, { partnerId: crypto.randomUUID() }, admin);
  expect((await refusalOf(unknown)).code).toBe(Code.NotFound);
  const { partnerId } = await client.unary(partners.createPartner, { name: "Acme" }, admin);
  const faulty = client.unary(partners.listClients, { partnerId, pageSize: -1, pageToken: "x" }, admin);
  expect(await violationsOf(faulty)).toEqual(["page_size OUT_OF_RANGE", "page_token INVALID_FORMAT"]);
});

test("bad input is refused by its field", async () => {
  expect(await violationsOf(client.unary(partners.createPartner, { name: " " }, admin))).toEqual(["name TOO_SHORT"]);
  expect(await violationsOf(client.unary(partners.listPartners, { pageSize: 1001, pageToken: "x" }, admin))).toEqual([
    "page_size OUT_OF_RANGE",
    "page_token INVALID_FORMAT",
  ]);
  const { partnerId } = await client.unary(partners.createPartner, { name: "Acme" }, admin);
  const faulty = client.unary(partners.createClient, { partnerId, name: "", scopes: ["nonsense", "admin"] }, admin);
  expect(await violationsOf(faulty)).toEqual(["name TOO_SHORT", "scopes[0] UNKNOWN_SCOPE", "scopes[1] INTERNAL_SCOPE"]);
  const none = client.unary(partners.createClient, { partnerId, name: "x", scopes: [] }, admin);
  expect(await violationsOf(none)).toEqual(["scopes TOO_FEW_ITEMS"]);
  const unknown = client.unary(partners.createClient, { partnerId: "x", name: "x", scopes: ["admin"] }, admin);
  expect((await refusalOf(unknown)).code).toBe(Code.NotFound);
});

test("no operator's call is allowed to a partner, and introspection to nobody but a gateway", async () => {
  const metadata = { authorization: `Bearer ${(await addCaller(app)).token}` };
  const services = [PartnerService, AssessmentService];
  const calls = services
    .flatMap((service) => service.methods)
    .filter((method) => method.name !== "GetPublishedAssessment");
  for (const method of [...calls, tokens.introspect]) {
    expect([method.name, (await refusalOf(client.unary(method as DescMethodUnary, {}, { metadata }))).code]).toEqual([
      method.name,
      Code.PermissionDenied,
    ]);
    expect((await refusalOf(client.unary(method as DescMethodUnary, {}))).code).toBe(Code.Unauthenticated);
  }
});

test("what a caller says of itself in the name of a gateway is not believed", async () => {
  const { token } = await addCaller(app);
  const metadata = { "gateway-authorization": `Bearer ${token}`, "caller-address": "203.0.113.9" };
  const refused = client.unary(tokens.introspect, { token }, { metadata });
  expect((await refusalOf(refused)).code).toBe(Code.Unauthenticated);
});

test("a published definition is listed, and the same one again changes nothing", async () => {
  const definition = JSON.stringify({ ...soundDefinition(), product: "other-product" });
  const publish = () => client.unary(AssessmentService.method.publishAssessment, { definition }, admin);
  const first = await publish();
  expect(first).toMatchObject({ product: "other-product", version: 1, created: true });
  expect(await publish()).toMatchObject({ assessmentId: first.assessmentId, version: 1, created: false });
  const listed = await client.unary(
    AssessmentService.method.listAssessmentVersions,
    { product: "other-product" },
    admin,
  );
  expect(listed.versions).toMatchObject([{ assessmentId: first.assessmentId, version: 1 }]);
  const faulty = client.unary(AssessmentService.method.publishAssessment, { definition: "{}" }, admin);
  expect((await violationsOf(faulty)).length).toBeGreaterThan(5);
  const broken = client.unary(AssessmentService.method.publishAssessment, { definition: "{" }, admin);
  expect(await violationsOf(broken)).toEqual(["definition NOT_JSON"]);
});
