// Callers without end, each of whom the process sees once: what it remembers of them is bounded.
import { randomBytes } from "node:crypto";
import type { Connection } from "mysql2/promise";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSecret, hashSecret } from "../../src/domain/identity/secrets.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import { residentBytes } from "../bench/servers/process-usage.ts";
import { someId } from "../support/builders.ts";
import type { BreakableDatabase } from "./support/database/database.ts";
import { startMariadb } from "./support/database/mariadb.ts";
import { rounds } from "./support/run/means.ts";
import { report } from "./support/run/report.ts";
import { openStage } from "./support/stage.ts";

/** A short run sees whether it works; it takes the full one to see a growth of less than 10 kB for each caller. */
const callers = rounds(200_000, 2_000);
const otherShare = 4;
const callersAtOnce = 24;
const rowsAtOnce = 2_000;
const maxResidentMb = 300;
const idLength = 36;
const idAt = '{"sessionId":"'.length;

let database: BreakableDatabase;
beforeAll(async () => {
  database = await startMariadb();
});
afterAll(() => database.remove());

test(`${callers} tokens, clients, external ids, sessions and addresses, each seen once, leave the process below ${maxResidentMb} MB`, async () => {
  const { service } = await openStage(database, {
    environment: {
      RATE_LIMIT_PER_MINUTE: "6000",
      TOKEN_RATE_LIMIT_PER_MINUTE: "30",
      ADDRESS_RATE_LIMIT_PER_MINUTE: "600",
      TRUSTED_PROXIES: "127.0.0.1/32",
    },
  });
  const residentMb = () => residentBytes(service.pid) / (1 << 20);
  const before = residentMb();
  const start = performance.now();
  let most = before;
  for (let done = 0; done < callers; done += rowsAtOnce) {
    const tokens = await database.asAdministrator((connection) => insertClients(connection, rowsAtOnce));
    const each = tokens.entries();
    const lanes = Array.from({ length: callersAtOnce }, async () => {
      for (const [index, token] of each) await browserSession(service.httpUrl, token, done + index);
    });
    await Promise.all(lanes);
    most = Math.max(most, residentMb());
  }
  report("growth", {
    callers,
    seconds: (performance.now() - start) / 1000,
    "MB at the start, at most": [before, most],
  });
  expect(most).toBeLessThan(maxResidentMb);
});

/** New clients of new partners, each with a token. */
async function insertClients(connection: Connection, count: number): Promise<string[]> {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 3_600_000);
  const scopes = "sessions:write sessions:read";
  const clients = Array.from({ length: count }, () => ({
    client: uuidToBytes(someId()),
    partner: uuidToBytes(someId()),
    token: createSecret("accessToken", randomBytes),
  }));
  await connection.query("INSERT INTO clients (id, partner_id, name, scopes, created_at) VALUES ?", [
    clients.map(({ client, partner }) => [client, partner, "Growth", scopes, now]),
  ]);
  await connection.query("INSERT INTO access_tokens (hash, client_id, scopes, expires_at) VALUES ?", [
    clients.map(({ client, token }) => [hashSecret(token), client, scopes, expiresAt]),
  ]);
  return clients.map(({ token }) => token);
}

/** A session by the token from an address of its own; of some also an answer, and a token that nobody has. */
async function browserSession(httpUrl: string, token: string, index: number): Promise<void> {
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  const post = async (path: string, as: string, body: object) => {
    const headers = { authorization: `Bearer ${as}`, "x-forwarded-for": address, "content-type": "application/json" };
    const url = `${httpUrl}/v1/values-bridge/sessions${path}`;
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
  const created = await post("", token, { subject: { externalId: `person ${index} ${"x".repeat(200)}` } });
  expect(created.status).toBe(201);
  if (index % otherShare !== 0) return;
  const sessionId = created.text.slice(idAt, idAt + idLength);
  const answers = [{ questionId: 1001, response: { type: "likert", value: 4 } }];
  expect((await post(`/${sessionId}/answers`, token, { answers })).status).toBe(200);
  expect((await post("", createSecret("accessToken", randomBytes), {})).status).toBe(401);
}
