// Makes the database of a release, which later releases are upgraded from, by a service that is used in every way.

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "mysql2/promise";
import { prepareDatabase } from "../../src/cli/migrate.ts";
import { Database } from "../../src/database/database.ts";
import { startEmbeddedDatabase } from "../../src/database/embedded/database.ts";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import { ChainAnchorer } from "../../src/services/audit/anchors.ts";
import { createTestTwin } from "../../src/services/identity/partners.ts";
import { createStores } from "../../src/store/stores.ts";
import { Visitor } from "../../test/support/browser/visitor.ts";
import { dump } from "../../test/support/databases/dump.ts";
import { fetchToken, openPartners } from "../../test/support/databases/partners.ts";
import { createDatabase, type TestDatabase } from "../../test/support/databases/servers/server.ts";
import { deadline } from "../../test/support/deadline.ts";
import { memberAnswers } from "../../test/support/groups/members.ts";
import { pasOn } from "../../test/support/processes/program.ts";
import {
  type ReleasedAnswers,
  readReleased,
  releasedKeys,
  startReleased,
} from "../../test/support/released/released-service.ts";
import type { AssessmentBody } from "../../test/support/transports/transports.ts";

const product = "/v1/values-bridge";
const silent = () => undefined;

/** The database in SQL, and what the service answers on it. */
export async function makeDatabase(): Promise<{ sql: string; answers: ReleasedAnswers }> {
  const dataDir = await mkdtemp(join(tmpdir(), "pas-release-"));
  const server = await startEmbeddedDatabase({ dataDir, log: silent });
  try {
    const database = await createDatabase(server.connection, "pas_release");
    await prepareDatabase({ say: silent }, database.address);
    const answers = await useService(database);
    await keepForEver(database.connection);
    // Collations are those of the server at hand; no column is compared by one.
    const statements = (await dump(database.connection)).map((each) => each.replaceAll(/ COLLATE[ =]\w+/g, ""));
    await database.drop();
    return { sql: statements.map((each) => `${each};\n`).join(""), answers };
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
}

/** Everything that leaves rows behind, by a partner, its twin and its people. */
async function useService(database: TestDatabase): Promise<ReleasedAnswers> {
  const service = await startReleased(database.address, silent);
  const partners = openPartners(database.address);
  const partnerId = await partners.addPartner({ name: "Released" });
  const client = await partners.addClient(partnerId, partnerScopes);
  const token = await fetchToken(service.httpUrl, client);
  const twin = await partners.addClient(
    await createTestTwin(partners.dependencies, partnerId, deadline),
    partnerScopes,
  );
  const send = sender(service.httpUrl, token);
  const sendAsTwin = sender(service.httpUrl, await fetchToken(service.httpUrl, twin));
  const receiver = await startReceiver();

  const types = ["session.completed", "group.closed"];
  const { endpoint, secret } = await send("POST", "/v1/webhook-endpoints", { url: receiver.url, types });
  const assessment: AssessmentBody = await send("GET", `${product}/assessment`);
  const complete = async (session: Record<string, unknown>, seed: number): Promise<string> => {
    const { sessionId, ...created } = await send("POST", `${product}/sessions`, session);
    const answers = memberAnswers(created.assessment ?? assessment, seed);
    await send("POST", `${product}/sessions/${sessionId}/complete`, { answers });
    return sessionId;
  };

  const subject = { externalId: "person 1" };
  const metadata = { order: "A-7" };
  const first = await complete({ subject, metadata }, 1);
  const again = await complete({ subject, locale: "de" }, 2);
  const short = await complete({ subject: { externalId: "person 2" }, form: "short" }, 3);
  await send("POST", `${product}/sessions`, { subject: { externalId: "erased" } });
  await send("DELETE", `${product}/subjects/erased`);
  const hosted = { mode: "hosted", redirectUrl: "https://partner.example/done", personAccess: "after_completion" };
  const visited = await send("POST", `${product}/sessions`, hosted);
  await new Visitor(service.httpUrl).open(visited.hostedUrl);
  await send("POST", `${product}/sessions/${visited.sessionId}/complete`, { answers: memberAnswers(assessment, 5) });
  const waiting = await send("POST", `${product}/sessions`, hosted);
  const open = await send("POST", `${product}/sessions`, { subject: { externalId: "person 3" } });
  const firstAnswers = memberAnswers(assessment, 6).slice(0, 20);
  await send("POST", `${product}/sessions/${open.sessionId}/answers`, { answers: firstAnswers });
  const cancelled = await send("POST", `${product}/sessions`, {});
  await send("POST", `${product}/sessions/${cancelled.sessionId}/cancel`, {});

  const department = await send("POST", `${product}/groups`, { label: "Department" });
  const team = await send("POST", `${product}/groups`, { label: "Team", parentId: department.groupId });
  for (const seed of [11, 12, 13, 14, 15]) {
    await complete({ subject: { externalId: `member ${seed}` }, groupId: team.groupId }, seed);
  }
  await send("POST", `${product}/groups/${department.groupId}/close`);
  const shared = await send("POST", `${product}/sessions/${first}/report-links`, { name: "Ada", locale: "de" });
  const visitor = new Visitor(service.httpUrl);
  await visitor.get(await visitor.open(shared.reportUrl));
  await send("PUT", `${product}/sessions/${first}/intention`, { step: "Call one person", lookAgainOn: "2027-01-07" });
  const twinSession = await sendAsTwin("POST", `${product}/sessions`, { subject });
  await sendAsTwin("POST", `${product}/sessions/${twinSession.sessionId}/test/autofill`, { persona: "archetype-3" });
  await sendAsTwin("PUT", "/v1/test/clock", { now: new Date(Date.now() + 86_400_000).toISOString() });
  for (const words of [
    ["partner", "norms", partnerId, "--pool", "on"],
    ["norms", "compute"],
  ]) {
    const { code, stderr } = await pasOn(database, ...words);
    if (code !== 0) throw new Error(stderr);
  }
  // Of nine sessions and two groups.
  await receiver.until(11);
  await anchorAudit(database);

  const until = new Date().toISOString();
  const paths = [
    ...[first, again, short, visited.sessionId, open.sessionId].map((id) => `${product}/sessions/${id}`),
    `${product}/sessions/${short}/results?explain=true`,
    `${product}/sessions/${first}/intention`,
    `${product}/sessions?limit=200`,
    `${product}/subjects/person%201/sessions`,
    `${product}/subjects/person%201/change`,
    `${product}/exports/sessions?include=results`,
    `${product}/exports/sessions?include=answers&groupId=${team.groupId}`,
    `${product}/groups`,
    `${product}/groups/${department.groupId}/numbers`,
    `${product}/groups/${team.groupId}/numbers`,
    `${product}/norms`,
    "/v1/events?limit=500&include=externalId",
    `/v1/webhook-endpoints/${endpoint.endpointId}/attempts`,
    `/v1/audit?until=${until}`,
  ];
  const reads: [string, unknown][] = [];
  for (const path of paths) reads.push([path, await readReleased(service.httpUrl, token, path)]);
  await service.stop();
  await partners.close();
  receiver.stop();
  return {
    token,
    client,
    endpointId: endpoint.endpointId,
    webhookSecret: secret,
    openSession: open.sessionId,
    links: [readPath(waiting.hostedUrl), readPath(shared.reportUrl)],
    reads: Object.fromEntries(reads),
  };
}

function readPath(url: string): string {
  return new URL(url).pathname;
}

/** Sends requests with a token, and gives the bodies of answers. */
function sender(httpUrl: string, token: string) {
  return async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init =
      body === undefined
        ? { headers: { authorization: headers.authorization } }
        : { headers, body: JSON.stringify(body) };
    const response = await fetch(httpUrl + path, { method, ...init });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}

/** A receiver of webhooks that takes everything. */
async function startReceiver() {
  let deliveryCount = 0;
  const arrived = new EventTarget();
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => {
      deliveryCount += 1;
      response.writeHead(204).end(() => arrived.dispatchEvent(new Event("taken")));
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`,
    async until(count: number) {
      const signal = AbortSignal.timeout(60_000);
      while (deliveryCount < count) await once(arrived, "taken", { signal });
    },
    stop: () => receiver.close(),
  };
}

/** What the service does once a minute. */
async function anchorAudit({ address }: TestDatabase): Promise<void> {
  const db = new Database({ address, poolSize: 1, warn: silent });
  const { audit } = createStores(db);
  const auditKeys = [Buffer.from(releasedKeys.AUDIT_KEY, "base64")];
  await new ChainAnchorer({ audit, auditKeys, clock: Date.now }).run(AbortSignal.timeout(60_000));
  await db.destroy();
}

/** Nothing is over when a later release finds it. */
async function keepForEver(connection: Connection): Promise<void> {
  const ending = [
    "access_tokens",
    "hosted_links",
    "hosted_browser_sessions",
    "report_links",
    "report_browser_sessions",
    "webhook_attempts",
  ];
  for (const table of ending) await connection.query(`UPDATE ${table} SET expires_at = '2099-01-01'`);
  await connection.query("DELETE FROM job_leases");
}
