// A bad day by the runbook: the commands of its chapters, taken from the page and run as they stand, do what it says.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { onDatabase, printedBy } from "../../support/processes/command.ts";
import { runPas } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import { bodyOf } from "../cases/case.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const runbook = readFileSync("docs/runbook.md", "utf8");

/** The commands of a chapter of the runbook, in their order. */
function commandsOf(heading: string): string[] {
  const [, chapter = ""] = runbook.split(`### ${heading}\n`);
  const [text = ""] = chapter.split("\n### ");
  const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = ""]) => block.trim().split("\n"));
  expect(commands.length).toBeGreaterThan(0);
  return commands;
}

/** Runs a command of the page. @param variables what it takes from the shell. @returns what it prints */
async function follow(command: string, variables: Readonly<Record<string, string>>) {
  const [name, ...words] = command.match(/"[^"]*"|\S+/g) ?? [];
  expect(name).toBe("pas");
  const given = words.map((word) => word.replaceAll('"', "").replace(/^\$(\w+)$/, (_, each) => variables[each] ?? ""));
  const key = Buffer.alloc(32, 1).toString("base64");
  const settings = { WEBHOOK_KEY: key, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };
  const finished = await runPas(given, { ...onDatabase(app.database), ...settings });
  expect([command, finished.code]).toEqual([command, 0]);
  return printedBy(finished);
}

test("a client secret that leaked is worth nothing after the commands, the partner goes on, and what was made shows", async () => {
  const transport = restTransport(app.httpUrl);
  const { partnerId, credentials, token } = await addCaller(app);
  const endpoint = { url: "http://127.0.0.1:9/theirs", types: ["session.completed"] };
  bodyOf(await transport.webhooks({ token: await app.tokenOf(credentials) }, "createWebhookEndpoint", endpoint));
  const variables = { CLIENT_ID: credentials.clientId, PARTNER_ID: partnerId };
  const printed = [];
  for (const command of commandsOf("A client secret has leaked")) printed.push(await follow(command, variables));
  const [disabled, [created] = [], records, endpoints] = printed;
  expect(disabled).toMatchObject([{ clientId: credentials.clientId, disabled: true }]);
  await expect(app.tokenOf(credentials)).rejects.toThrow("401");
  expect(await transport.createSession({ token }, {})).toMatchObject({ ok: false, code: "unauthenticated" });
  bodyOf(await transport.createSession({ token: await app.tokenOf(created) }, {}));
  expect(records).toContainEqual(expect.objectContaining({ action: "webhook.create", clientId: credentials.clientId }));
  expect(endpoints).toMatchObject([{ url: endpoint.url }]);
});

test("webhooks that do not arrive: the commands say why, and have everything sent that waits", async () => {
  const transport = restTransport(app.httpUrl);
  const { partnerId, token } = await addCaller(app);
  let isUp = false;
  const receiver = await startReceiver(() => ({ status: isUp ? 204 : 500 }));
  const input = { url: receiver.url, types: ["session.created"] };
  const made = bodyOf(await transport.webhooks({ token }, "createWebhookEndpoint", input));
  const { endpointId } = (made as unknown as { endpoint: { endpointId: string } }).endpoint;
  const get = async () => bodyOf(await transport.webhooks({ token }, "getWebhookEndpoint", { endpointId }));
  bodyOf(await transport.createSession({ token }, {}));
  await expect.poll(async () => (await get()).failures).toBe(1);
  // As after a long time away: it is tried in ten minutes.
  const away = `UPDATE webhook_endpoints SET failures = 9, lease_id = NULL, rest_until = NOW(3) + INTERVAL 10 MINUTE,
    due_at = rest_until WHERE id = ?`;
  await app.database.connection.query(away, [uuidToBytes(endpointId)]);
  isUp = true;
  const variables = { ENDPOINT_ID: endpointId, PARTNER_ID: partnerId };
  const printed = [];
  for (const command of commandsOf("Webhooks do not arrive")) printed.push(await follow(command, variables));
  const [[down], [failed], [parked], [tested]] = printed as [unknown[], unknown[], unknown[], unknown[]];
  expect(down).toMatchObject({ endpointId, url: receiver.url, state: "down", backlog: 1 });
  expect(failed).toMatchObject({ type: "session.created", outcome: "failed", status: 500 });
  expect(parked).toMatchObject({ state: "retrying" });
  expect(tested).toMatchObject({ status: 204 });
  const sinceTest = () => {
    const types = receiver.received.map(({ event }) => event.type);
    return types.slice(types.indexOf("webhook.test"));
  };
  await expect.poll(sinceTest).toEqual(["webhook.test", "session.created"]);
  await expect.poll(async () => (await get()).state).toBe("healthy");
});
