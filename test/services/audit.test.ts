// No read without a record, and no change either: what happens when the audit log cannot be written.
import { Code, type ConnectError } from "@connectrpc/connect";
import { expect, onTestFinished, test } from "vitest";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import { AuditService } from "../../src/gen/assessment/v1/audit_service_pb.ts";
import { PartnerService } from "../../src/gen/assessment/v1/partner_service_pb.ts";
import { type AuditFault, verifyAudit } from "../../src/services/audit/verify.ts";
import { createStores } from "../../src/store/stores.ts";
import { bodyOf, completedSession } from "../e2e/cases/case.ts";
import { addCaller, addOperator } from "../support/app.ts";
import { poolOfTest } from "../support/databases/pool.ts";
import { countOf } from "../support/databases/stores.ts";
import { signal } from "../support/deadline.ts";
import { appOfFile, clientOfFile } from "../support/of-file.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { grpcTransport } from "../support/transports/rpc-transport.ts";

const app = await appOfFile();
const client = clientOfFile(app);
const admin = await addOperator(app, "admin", "audit:read", "partners:act-as");

/** Takes the audit log away until the test is over, or until it is put back. */
async function withoutLog(): Promise<() => Promise<void>> {
  const connection = await app.database.openUndivided();
  await connection.query("RENAME TABLE audit_log TO audit_log_away");
  let isAway = true;
  const putBack = async () => {
    if (isAway) await connection.query("RENAME TABLE audit_log_away TO audit_log");
    isAway = false;
  };
  onTestFinished(async () => {
    await putBack();
    await connection.end();
  });
  return putBack;
}

/** A caller with a completed session. */
async function reader() {
  const { token } = await addCaller(app, partnerScopes);
  const alice = { token };
  const transport = restTransport(app.httpUrl);
  return { alice, transport, ...(await completedSession({ app, transport, alice, bob: alice })) };
}

test("results that cannot be recorded are not returned at any transport, and are returned afterwards", async () => {
  const { alice, transport, sessionId } = await reader();
  const grpc = grpcTransport(app.grpcAddress);
  onTestFinished(() => grpc.close());
  const putBack = await withoutLog();
  for (const each of [transport, grpc]) {
    const refusal = await each.getSessionResults(alice, sessionId);
    expect(refusal).toMatchObject({ ok: false, code: "unavailable", retryAfterSeconds: 1 });
  }
  // What is not recorded needs no log.
  bodyOf(await transport.getSession(alice, sessionId));
  await putBack();
  bodyOf(await transport.getSessionResults(alice, sessionId));
});

test("a change that cannot be recorded is not begun", async () => {
  const { connection } = app.database;
  const partners = () => countOf(connection, "SELECT COUNT(*) FROM partners");
  const before = await partners();
  await withoutLog();
  const refusal = await client.unary(PartnerService.method.createPartner, { name: "Unseen" }, admin).then(
    () => undefined,
    (error: ConnectError) => error.code,
  );
  expect(refusal).toBe(Code.Unavailable);
  expect(await partners()).toBe(before);
});

test("the audit log of a partner has what operators do to its clients, with who did it and to which client", async () => {
  const { partnerId } = await client.unary(PartnerService.method.createPartner, { name: "Acme" }, admin);
  const scopes = ["results:read"];
  const { clientId } = await client.unary(
    PartnerService.method.createClient,
    { partnerId, name: "Backend", scopes },
    admin,
  );
  await client.unary(PartnerService.method.rotateClientSecret, { clientId }, admin);
  await client.unary(PartnerService.method.disableClient, { clientId }, admin);
  const as = { metadata: { ...admin.metadata, "partner-id": partnerId } };
  const { records } = await client.unary(AuditService.method.listAuditRecords, {}, as);
  expect(records.toReversed().map(({ action, outcome, targetId }) => [action, outcome, targetId])).toEqual([
    ["partner.create", "ok", undefined],
    ["client.create", "begun", undefined],
    ["client.create", "ok", clientId],
    ["client.rotate", "ok", clientId],
    ["client.disable", "ok", clientId],
  ]);
  // Before the service knows whose client it is, the act is the operator's own.
  const { records: own } = await client.unary(AuditService.method.listAuditRecords, {}, admin);
  expect(own.slice(0, 2).map(({ action, outcome }) => [action, outcome])).toEqual([
    ["client.disable", "begun"],
    ["client.rotate", "begun"],
  ]);
});

test("the request id of a record is the one of the response, and the log holds together when calls come at once", async () => {
  const { alice, sessionId } = await reader();
  const url = `${app.httpUrl}/v1/values-bridge/sessions/${sessionId}/results`;
  const ids = Array.from({ length: 60 }, (_, index) => `request-${index}`);
  const headers = { authorization: `Bearer ${alice.token}` };
  const get = (id: string) => fetch(url, { headers: { ...headers, "x-request-id": id } });
  // No more at a time than a client has slots: on a slow machine others wait too long.
  for (let begin = 0; begin < ids.length; begin += 6) {
    const responses = await Promise.all(ids.slice(begin, begin + 6).map(get));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  }
  const response = await fetch(`${app.httpUrl}/v1/audit?limit=60`, { headers });
  const { records } = (await response.json()) as { records: { requestId: string }[] };
  expect(records.map(({ requestId }) => requestId).toSorted()).toEqual(ids.toSorted());
  const db = poolOfTest({ address: app.database.address, poolSize: 2 });
  const faults: AuditFault[] = [];
  const deps = { ...createStores(db), auditKeys: [], clock: Date.now };
  await verifyAudit(deps, 400, [], (fault) => faults.push(fault), signal);
  expect(faults).toEqual([]);
});
