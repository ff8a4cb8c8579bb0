// `npm start` as a supervisor runs it: several processes, and a signal to npm alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bodyOf } from "../e2e/cases/case.ts";
import { fetchToken } from "../support/databases/partners.ts";
import { killServerOf, serverPidOf } from "../support/databases/servers/embedded-server.ts";
import { folderOfTest } from "../support/folders.ts";
import { freePort } from "../support/processes/free-port.ts";
import { isServed } from "../support/processes/loopback.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { until } from "../support/until.ts";

test("two workers on an embedded database serve the demo client, and stop in order when npm gets a signal", async () => {
  const dataDir = folderOfTest();
  const [httpPort, grpcPort] = [await freePort(), await freePort()];
  const { PATH = "", HOME = "" } = process.env;
  const env = {
    PATH,
    HOME,
    DATA_DIR: dataDir,
    HTTP_PORT: String(httpPort),
    GRPC_PORT: String(grpcPort),
    METRICS_PORT: "0",
  };
  const npm = spawn("npm", ["start", "--", "--workers", "2"], { env, stdio: "ignore", detached: true });
  onTestFinished(async () => {
    // Its whole process group: a node that has lost its npm would live on.
    if (npm.pid !== undefined && (await isServing())) process.kill(-npm.pid, "SIGKILL");
    await killServerOf(dataDir);
  });
  const url = `http://127.0.0.1:${httpPort}`;
  const isServing = () => isServed(`${url}/readyz`);
  await until(isServing);
  const token = await fetchToken(url, JSON.parse(await readFile(join(dataDir, "demo-client.json"), "utf8")));
  bodyOf(await restTransport(url).createSession({ token }, {}));
  npm.kill("SIGTERM");
  expect(await once(npm, "exit")).toEqual([0, null]);
  expect(await isServing()).toBe(false);
  expect(serverPidOf(dataDir)).toBeUndefined();
});
