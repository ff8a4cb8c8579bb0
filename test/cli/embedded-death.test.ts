// The embedded database server killed while the service runs.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { resolveEmbeddedPaths } from "../../src/database/embedded/folder.ts";
import { withLock } from "../../src/database/embedded/lock.ts";
import { bodyOf } from "../e2e/cases/case.ts";
import { fetchToken } from "../support/databases/partners.ts";
import { killServerOf, serverPidOf } from "../support/databases/servers/embedded-server.ts";
import { folderOfTest } from "../support/folders.ts";
import { startPas } from "../support/processes/command.ts";
import { restTransport } from "../support/transports/rest-transport.ts";

test("an embedded server that dies is started again, with everything acknowledged", async () => {
  const dataDir = folderOfTest();
  const server = () => serverPidOf(dataDir);
  const running = startPas(["serve"], { DATA_DIR: dataDir, HTTP_PORT: "0", GRPC_PORT: "0" });
  onTestFinished(async () => {
    running.kill("SIGKILL");
    await running.ended;
    await killServerOf(dataDir);
  });
  const [, httpUrl = ""] = await running.wrote(/REST +(http:\S+)\/v1/);
  await running.wrote(/Stop with Ctrl-C/);
  const readiness = async () => (await fetch(`${httpUrl}/readyz`)).status;
  const client = JSON.parse(await readFile(join(dataDir, "demo-client.json"), "utf8"));
  const token = await fetchToken(httpUrl, client);
  const transport = restTransport(httpUrl);
  const { sessionId } = bodyOf(await transport.createSession({ token }, {}));

  const killed = server();
  if (killed === undefined) throw new Error("no server runs");
  // Nobody starts a server while somebody else has the lock: so it is away for long enough to be missed.
  await withLock(resolveEmbeddedPaths(dataDir).lock, async () => {
    process.kill(killed, "SIGKILL");
    await expect.poll(readiness, { interval: 20 }).toBe(503);
    expect(await transport.getSession({ token }, sessionId)).toMatchObject({ code: "unavailable" });
  });
  await expect.poll(readiness, { interval: 20 }).toBe(200);
  expect(server()).not.toBe(killed);
  expect(bodyOf(await transport.getSession({ token }, sessionId)).status).toBe("in_progress");
  running.kill("SIGTERM");
  expect(await running.ended).toBe(0);
  expect(server()).toBeUndefined();
});
