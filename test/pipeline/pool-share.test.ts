// One partner whose writes hang in the database leaves others their connections, in the configuration that is the
// default.
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import { toNetworkCaller } from "../../src/kernel/calls/core.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import { createCallSlots } from "../../src/pipeline/limits/slots.ts";
import { answer, bodyOf } from "../e2e/cases/case.ts";
import { addCaller } from "../support/app.ts";
import { lockRows } from "../support/databases/locks.ts";
import { appOfFile } from "../support/of-file.ts";
import { restTransport } from "../support/transports/rest-transport.ts";

const connections = 16;

const app = await appOfFile();

async function connectionsInUse(): Promise<number> {
  const text = await (await fetch(`${app.httpUrl}/metrics`)).text();
  return Number(/^pas_database_connections\{state="used"\} (\d+)/m.exec(text)?.[1]);
}

test("another partner's reads and writes are served while the writes of one partner's five clients stall", async () => {
  const transport = restTransport(app.httpUrl);
  const [stalled, other] = [await addCaller(app), await addCaller(app)];
  const clients = [stalled.token];
  while (clients.length < 5) clients.push(await app.tokenOf(await app.addClient(stalled.partnerId, partnerScopes)));
  const ids: string[] = [];
  for (let count = 0; count < 3 * connections; count += 1) {
    ids.push(bodyOf(await transport.createSession({ token: stalled.token }, {})).sessionId);
  }
  const { sessionId } = bodyOf(await transport.createSession({ token: other.token }, {}));
  const rows = "SELECT id FROM sessions FORCE INDEX (PRIMARY) WHERE id IN (?) FOR UPDATE";
  const release = await lockRows(app.database, rows, [ids.map(uuidToBytes)]);
  const writes = ids.map((id, index) =>
    transport.recordAnswers({ token: clients[index % 5] }, id, { answers: [answer(1001, 4)] }),
  );
  await expect.poll(connectionsInUse).toBe(connections / 2);
  for (let count = 0; count < connections; count += 1) {
    expect(bodyOf(await transport.getSession({ token: other.token }, sessionId)).status).toBe("in_progress");
    expect(
      bodyOf(await transport.recordAnswers({ token: other.token }, sessionId, { answers: [answer(1001, 4)] })).recorded,
    ).toBe(1);
  }
  expect(await connectionsInUse()).toBeLessThanOrEqual(connections / 2);
  await release();
  await Promise.all(writes);
});

/** How many calls of one caller begin at once, and how many more may wait. */
function shareOf(environment: Record<string, string>): { running: number; waiting: number } {
  const callSlots = createCallSlots(readConfig(environment));
  try {
    for (;;) Promise.resolve(callSlots.running.acquire(toNetworkCaller("client"))).catch(() => undefined);
  } catch {
    return callSlots.running.state;
  }
}

test.each([
  ["half of 16 connections unless configured", {}, 8, 72],
  ["half of the connections, rounded down", { DATABASE_POOL_SIZE: "5" }, 2, 23],
  ["one of a single connection", { DATABASE_POOL_SIZE: "1" }, 1, 4],
  ["what is configured", { MAX_CONCURRENT_CALLS_PER_CLIENT: "3" }, 3, 12],
  ["no more than all calls", { MAX_CONCURRENT_CALLS: "4", MAX_CONCURRENT_CALLS_PER_CLIENT: "9" }, 4, 16],
])("a client's calls run on %s; bursts of it may wait", (_, environment, running, waiting) => {
  expect(shareOf(environment)).toEqual({ running, waiting });
});
