// The database of every release is brought up to date and served: people, partners and their results are as they were.

import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { releasedVersions, releasesFolder } from "../../../tools/releases/releases.ts";
import { Visitor } from "../../support/browser/visitor.ts";
import { restore } from "../../support/databases/dump.ts";
import { fetchToken } from "../../support/databases/partners.ts";
import { emptyDatabaseOfTest } from "../../support/of-test.ts";
import { onDatabase } from "../../support/processes/command.ts";
import { pasOn, runPas } from "../../support/processes/program.ts";
import {
  type ReleasedAnswers,
  readReleased,
  releasedKeys,
  startReleased,
} from "../../support/released/released-service.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

test.each(releasedVersions())("the database of %s is served as it was, once `pas migrate` has run", async (version) => {
  const database = await emptyDatabaseOfTest();
  const dump = readFileSync(`${releasesFolder}/${version}/database.sql`, "utf8");
  await restore(database.connection, dump.split(/;\n/).slice(0, -1));
  // So that something is to do for the present version too: its steps again, which change nothing.
  await database.connection.query("DELETE FROM migrations");
  const lines: string[] = [];
  const service = await startReleased(database.address, (line) => lines.push(line));
  onTestFinished(() => service.stop());
  const { httpUrl } = service;
  const status = async (path: string) => (await fetch(httpUrl + path)).status;

  await expect.poll(() => lines.join("")).toContain("run pas migrate");
  expect(await status("/readyz")).toBe(503);
  expect(await pasOn(database, "audit", "verify")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("bring it up to date with `pas migrate`"),
  });
  expect(await pasOn(database, "migrate")).toMatchObject({ code: 0 });
  await expect.poll(() => status("/readyz")).toBe(200);

  const answers: ReleasedAnswers = JSON.parse(readFileSync(`${releasesFolder}/${version}/database.json`, "utf8"));
  const { token, client, reads, endpointId, openSession, webhookSecret } = answers;
  for (const [path, then] of Object.entries(reads)) {
    // Later releases may say more.
    expect(await readReleased(httpUrl, token, path), path).toMatchObject(then as object);
  }
  for (const link of answers.links) expect(await new Visitor(httpUrl).open(httpUrl + link)).toMatch(/^\//);
  const verified = await runPas(["audit", "verify"], { ...onDatabase(database), ...releasedKeys });
  expect([verified.code, JSON.parse(verified.stdout)]).toEqual([
    0,
    expect.objectContaining({ faults: 0, signed: true }),
  ]);

  const receiver = await startReceiver();
  const headers = { authorization: `Bearer ${await fetchToken(httpUrl, client)}`, "content-type": "application/json" };
  const endpoint = `${httpUrl}/v1/webhook-endpoints/${endpointId}`;
  const moved = await fetch(endpoint, { method: "PATCH", headers, body: JSON.stringify({ url: receiver.url }) });
  const completeUrl = `${httpUrl}/v1/values-bridge/sessions/${openSession}/complete`;
  const completion = await fetch(completeUrl, { method: "POST", headers, body: "{}" });
  expect([moved.status, completion.status]).toEqual([200, 200]);
  await expect.poll(() => receiver.received.length).toBe(1);
  for (const { body, headers: sent } of receiver.received) {
    const event = new Webhook(webhookSecret).verify(body, sent as Record<string, string>);
    expect(event).toMatchObject({ type: "session.completed", data: { sessionId: openSession } });
  }
});
