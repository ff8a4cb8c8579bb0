// Test twins as operators make them, and how credentials and responses say that there is nothing but test data.

import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { expect, test } from "vitest";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import { PartnerService } from "../../src/gen/assessment/v1/partner_service_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { bodyOf } from "../e2e/cases/case.ts";
import { addCaller, addOperator, addTwinCaller } from "../support/app.ts";
import { appOfFile, clientOfFile, gatewayOfFile } from "../support/of-file.ts";
import { printedBy } from "../support/processes/command.ts";
import { pasOn } from "../support/processes/program.ts";
import { restTransport } from "../support/transports/rest-transport.ts";

const {
  createTestTwin,
  createPartner,
  createClient: addClient,
  listPartners,
  rotateClientSecret,
} = PartnerService.method;
const version8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const app = await appOfFile();
const gateway = await gatewayOfFile(app);
const client = clientOfFile(app);
const rest = restTransport(app.httpUrl);
const admin = await addOperator(app, "admin");

test("a partner has one test twin, which says whose it is", async () => {
  const { partnerId } = await client.unary(createPartner, { name: "Acme" }, admin);
  const { partnerId: twin } = await client.unary(createTestTwin, { partnerId }, admin);
  expect(twin).toMatch(version8);
  expect(await client.unary(createTestTwin, { partnerId: partnerId.toUpperCase() }, admin)).toMatchObject({
    partnerId: twin,
  });
  const { partners } = await client.unary(listPartners, { pageSize: 1000 }, admin);
  const ofPair = partners.filter((each) => [partnerId, twin].includes(each.partnerId));
  expect(ofPair.map(({ name, twinOf, internal }) => ({ name, twinOf, internal }))).toEqual([
    { name: "Acme", twinOf: undefined, internal: false },
    { name: "Acme (test)", twinOf: partnerId, internal: false },
  ]);
});

test("a twin's name fits, however long that of its partner is", async () => {
  const { partnerId } = await client.unary(createPartner, { name: "ä".repeat(255) }, admin);
  const { partnerId: twin } = await client.unary(createTestTwin, { partnerId }, admin);
  const { partners } = await client.unary(listPartners, { pageSize: 1000 }, admin);
  expect(partners.find((each) => each.partnerId === twin)?.name).toBe(`${"ä".repeat(248)} (test)`);
});

test("a twin, an internal partner or an unknown partner cannot have a test twin", async () => {
  const internal = await app.addPartner({ internal: true });
  const twin = await app.addTwin(await app.addPartner());
  for (const partnerId of [internal, twin]) {
    await expect(client.unary(createTestTwin, { partnerId }, admin)).rejects.toThrow(
      /neither internal nor a test twin/,
    );
  }
  for (const partnerId of ["nobody", "00000000-0000-7000-8000-000000000000"]) {
    await expect(client.unary(createTestTwin, { partnerId }, admin)).rejects.toThrow(/nothing here/);
  }
  await expect(app.addClient(twin, ["admin"])).rejects.toThrow();
});

test("secrets, tokens and links of a twin say that they are for tests, those of a partner do not", async () => {
  const partnerId = await app.addPartner();
  const twinId = await app.addTwin(partnerId);
  const hostedMode = { mode: "hosted", redirectUrl: "https://partner.example/done" };
  for (const [id, mark] of [
    [partnerId, ""],
    [twinId, "test_"],
  ]) {
    const request = { partnerId: id ?? "", name: "Backend", scopes: [...partnerScopes] };
    const created = await client.unary(addClient, request, admin);
    const secret = new RegExp(`^pas_cs_${mark}[0-9A-Za-z]{49}$`);
    expect(created.clientSecret).toMatch(secret);
    const { clientSecret } = await client.unary(rotateClientSecret, { clientId: created.clientId }, admin);
    expect(clientSecret).toMatch(secret);
    const token = await app.tokenOf({ clientId: created.clientId, clientSecret });
    expect(token).toMatch(new RegExp(`^pas_at_${mark}[0-9A-Za-z]{49}$`));
    const { hostedUrl = "" } = bodyOf(await rest.createSession({ token }, hostedMode));
    expect(hostedUrl).toMatch(new RegExp(`/hosted/pas_hl_${mark}[0-9A-Za-z]{71}$`));
    expect((await fetch(hostedUrl, { redirect: "manual" })).status).toBeLessThan(400);
  }
});

test("every response to a twin's token says so, refusals too, at every transport, and none to a partner's", async () => {
  const real = await addCaller(app);
  const twin = await addTwinCaller(app, real.partnerId);
  const marksOf = async (token: string) => {
    const marks: (string | null)[] = [];
    const headers = { authorization: `Bearer ${token}` };
    for (const url of [app.httpUrl, gateway.httpUrl]) {
      for (const path of ["assessment", "sessions/nowhere", "sessions?limit=0"]) {
        marks.push((await fetch(`${url}/v1/values-bridge/${path}`, { headers })).headers.get("test-data"));
      }
    }
    for (const transport of [
      createConnectTransport({ baseUrl: app.httpUrl, httpVersion: "1.1" }),
      createGrpcTransport({ baseUrl: `http://${app.grpcAddress}` }),
    ]) {
      const sessions = createClient(SessionService, transport);
      const mark = (metadata: Headers) => void marks.push(metadata.get("test-data"));
      await sessions.createSession({ product: "values-bridge" }, { headers, onHeader: mark });
      await sessions.getSession({ product: "values-bridge" }, { headers }).catch(({ metadata }) => mark(metadata));
    }
    return marks;
  };
  expect(await marksOf(real.token)).toEqual(Array(10).fill(null));
  expect(await marksOf(twin.token)).toEqual(Array(10).fill("true"));
});

test("a twin's clock is shown and moved at the command line", async () => {
  const partnerId = await app.addPartner();
  const { partnerId: twin, token } = await addTwinCaller(app, partnerId);
  const clock = (verb: string, ...options: string[]) =>
    pasOn(app.database, "test-clock", verb, "--partner", ...options);
  const now = new Date(Date.now() + 1e9).toISOString();
  expect(JSON.parse((await clock("set", twin, "--now", now)).stdout)).toMatchObject({ now });
  expect(bodyOf(await rest.getTestClock({ token })).aheadSeconds).toBeGreaterThan(900_000);
  expect(JSON.parse((await clock("show", twin)).stdout).now >= now).toBe(true);
  expect(JSON.parse((await clock("reset", twin)).stdout)).toMatchObject({ aheadSeconds: 0 });
  expect(await clock("show", partnerId)).toMatchObject({ code: 1, stderr: expect.stringContaining("test twin") });
  expect(await clock("set", twin, "--now", "soon")).toMatchObject({ code: 2, stdout: "" });
  expect(await clock("show", "nobody")).toMatchObject({ code: 1, stderr: expect.stringContaining("no such partner") });
});

test("a twin is created and listed at the command line", async () => {
  const partnerId = await app.addPartner({ name: "Acme" });
  const creation = await pasOn(app.database, "partner", "twin", partnerId);
  const { partnerId: twin } = JSON.parse(creation.stdout);
  expect(JSON.parse(creation.stdout)).toEqual({ partnerId: twin });
  expect(twin).toMatch(version8);
  expect(JSON.parse((await pasOn(app.database, "partner", "twin", partnerId)).stdout)).toEqual({
    partnerId: twin,
  });
  expect(printedBy(await pasOn(app.database, "partner", "list"))).toContainEqual(
    expect.objectContaining({ partnerId: twin, name: "Acme (test)", twinOf: partnerId }),
  );
  expect(await pasOn(app.database, "partner", "twin", twin)).toMatchObject({ code: 1, stdout: "" });
  const unknown = await pasOn(app.database, "partner", "twin", "nobody");
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("no such partner") });
});
