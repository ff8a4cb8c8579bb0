// A secret that leaked or is due, a link that leaked, a person who asks to be erased: the commands of the runbook, as
// they stand, do what it says.
import { expect, test } from "vitest";
import { bodyOf, fullAnswers } from "../../e2e/cases/case.ts";
import { addCaller } from "../../support/app.ts";
import { Visitor } from "../../support/browser/visitor.ts";
import { processOfTest } from "../../support/of-test.ts";
import { linesIn } from "../../support/processes/command.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import { commandsOf, operated, startOperator } from "../support/incidents/runbook.ts";
import { openDay, openHostedDay } from "../support/incidents/service.ts";

test("a leaked client secret is worthless after the commands, the partner goes on, and its misuse is shown", async () => {
  const { app, transport, operator } = await openDay();
  const { partnerId, credentials, token } = await addCaller(app);
  const endpoint = { url: "http://127.0.0.1:9/theirs", types: ["session.completed"] };
  bodyOf(await transport.createWebhookEndpoint({ token: await app.tokenOf(credentials) }, endpoint));
  const variables = { CLIENT_ID: credentials.clientId, PARTNER_ID: partnerId };
  const outputs = [];
  for (const command of commandsOf("A client secret has leaked")) {
    outputs.push(linesIn(await operator.follow(command, variables)));
  }
  const [disabled, [created] = [], records, endpoints] = outputs;
  expect(disabled).toEqual([{ clientId: credentials.clientId }]);
  await expect(app.tokenOf(credentials)).rejects.toThrow("401");
  const isOver = () => transport.createSession({ token }, {});
  await expect.poll(isOver).toMatchObject({ ok: false, code: "unauthenticated" });
  bodyOf(await transport.createSession({ token: await app.tokenOf(created) }, {}));
  expect(records).toContainEqual(expect.objectContaining({ action: "webhook.create", clientId: credentials.clientId }));
  expect(endpoints).toMatchObject([{ url: endpoint.url }]);
});

test("a client secret is rotated without a gap, and a second rotation ends the first secret", async () => {
  const { app, operator } = await openDay();
  const { credentials } = await addCaller(app);
  const [rotate = ""] = commandsOf("Rotation of secrets");
  const { clientId } = credentials;
  const next = async () => linesIn(await operator.follow(rotate, { CLIENT_ID: clientId }))[0].clientSecret as string;
  const second = await next();
  for (const clientSecret of [credentials.clientSecret, second]) await app.tokenOf({ clientId, clientSecret });
  await next();
  await app.tokenOf({ clientId, clientSecret: second });
  await expect(app.tokenOf(credentials)).rejects.toThrow("401");
});

test("a leaked key of webhook secrets is not needed after the command, and webhooks go on", async () => {
  const [leaked = "", fresh = ""] = [1, 9].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  const { app, transport } = await openDay();
  const [reseal = ""] = commandsOf("The key of webhook secrets has leaked");
  const receiver = await startReceiver();
  const { token } = await addCaller(app);
  const input = { url: receiver.url, types: ["session.created"] };
  const { endpoint } = bodyOf(await transport.createWebhookEndpoint({ token }, input));
  await app.stopService();
  const both = { WEBHOOK_KEY: `${fresh} ${leaked}` };
  const operator = await startOperator(operated(app.database), both);
  expect(linesIn(await operator.follow(reseal))).toEqual([{ resealed: 1, current: 0, unreadable: 0 }]);
  const settings = { WEBHOOK_KEY: fresh, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };
  const again = await processOfTest(app.database.address, settings);
  const { endpointId } = endpoint;
  const tested = bodyOf(await restTransport(again.httpUrl).testWebhookEndpoint({ token }, endpointId));
  expect(tested).toMatchObject({ status: 204 });
});

test("a leaked link shows neither answers nor a report after the partner's calls", async () => {
  const { app, partner, operator } = await openHostedDay();
  const { sessionId, hostedUrl } = await partner.createHosted();
  await partner.record(sessionId, 1, 3);
  const visitor = new Visitor(app.httpUrl);
  const start = await visitor.open(hostedUrl);
  const hasAnswers = async () => (await visitor.get(`${start}/questions/1`)).text.includes(" checked");
  expect(await hasAnswers()).toBe(true);
  const scoredSession = await partner.createScored();
  const reportUrl = await partner.shareReport(scoredSession);
  const reader = new Visitor(app.httpUrl);
  const reportPage = await reader.open(reportUrl);
  const report = async () => (await reader.get(reportPage)).status;
  expect(await report()).toBe(200);
  const { token } = partner;
  const variables = { SERVICE_URL: app.httpUrl, TOKEN: token, SESSION_ID: sessionId, COMPLETED_ID: scoredSession };
  for (const command of commandsOf("A link to a hosted session has leaked")) await operator.follow(command, variables);
  expect(await partner.statusOf(sessionId)).toBe("cancelled");
  expect(await hasAnswers()).toBe(false);
  expect(await report()).not.toBe(200);
});

test("a person who asks for erasure is erased by the commands, and a second erasure finds no data", async () => {
  const { app, transport, operator } = await openDay();
  const { partnerId, token } = await addCaller(app);
  const externalId = "person-who-asks";
  const { sessionId, assessment } = bodyOf(await transport.createSession({ token }, { subject: { externalId } }));
  if (assessment === undefined) throw new Error("no assessment");
  bodyOf(await transport.completeSession({ token }, sessionId, { answers: fullAnswers({ assessment }) }));
  const [erase = ""] = commandsOf("A person asks to be erased");
  const variables = { PARTNER_ID: partnerId, EXTERNAL_ID: externalId };
  expect(linesIn(await operator.follow(erase, variables))).toEqual([{ sessionsErased: 1 }]);
  expect(await transport.getSession({ token }, sessionId)).toMatchObject({ ok: false, code: "not_found" });
  expect(await operator.try(erase, variables)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("nothing is held"),
  });
});
