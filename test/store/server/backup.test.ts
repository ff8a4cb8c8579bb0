import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { startApp } from "../../../src/process/app.ts";
import { createLogger } from "../../../src/telemetry/logger.ts";
import { answer, bodyOf, fullAnswers } from "../../e2e/cases/case.ts";
import { addCaller } from "../../support/app.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import { dump, restore, tablesOf } from "../../support/databases/dump.ts";
import { appOfTest } from "../../support/of-test.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";

const product = "/v1/values-bridge";

test("a dump that is made while the service writes is served as before after it is restored into a new schema", async () => {
  const app = await appOfTest();
  const { token } = await addCaller(app);
  const transport = restTransport(app.httpUrl);
  const read = async (httpUrl: string, path: string) => {
    const response = await fetch(httpUrl + path, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, etag: response.headers.get("etag"), body: await response.text() };
  };
  const people = ["Bob", "bob ", "Böb 😀", "'; DROP TABLE sessions; --", "\\"];
  const paths = [`${product}/assessment`, "/.well-known/jwks.json"];
  for (const externalId of people) {
    const created = bodyOf(await transport.createSession({ token }, { subject: { externalId } }));
    const { sessionId, assessment } = created;
    if (assessment === undefined) throw new Error("no assessment");
    bodyOf(await transport.completeSession({ token }, sessionId, { answers: fullAnswers({ assessment }) }));
    paths.push(`${product}/sessions/${sessionId}/results?explain=true`);
    paths.push(`${product}/subjects/${encodeURIComponent(externalId)}/results`);
  }
  const hostedMode = { mode: "hosted", redirectUrl: "https://partner.example/?ä" } as const;
  const open = bodyOf(await transport.createSession({ token }, hostedMode));
  bodyOf(await transport.recordAnswers({ token }, open.sessionId, { answers: [answer(1001, 7)] }));
  paths.push(`${product}/sessions/${open.sessionId}`);
  const before = await Promise.all(paths.map((path) => read(app.httpUrl, path)));
  expect(before.every(({ status }) => status === 200)).toBe(true);

  let isDumping = true;
  const writing = (async () => {
    while (isDumping) bodyOf(await transport.createSession({ token }, {}));
  })();
  const statements = await dump(app.database.connection);
  isDumping = false;
  await writing;

  const restored = await createEmptyDatabase();
  onTestFinished(() => restored.drop());
  await restore(restored.connection, statements);
  expect(await tablesOf(restored.connection)).toEqual(await tablesOf(app.database.connection));
  const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", PUBLIC_URL: app.httpUrl });
  const log = createLogger("silent");
  const again = await startApp({ config, role: "all", database: restored.address, log });
  onTestFinished(() => again.stop());
  expect((await read(again.httpUrl, "/readyz")).status).toBe(200);
  const after = await Promise.all(paths.map((path) => read(again.httpUrl, path)));
  expect(after).toEqual(before);
  const completion = await restTransport(again.httpUrl).completeSession({ token }, open.sessionId);
  expect(bodyOf(completion).status).toBe("completed");
});
