// `npm start` as supervisors run it: the signal goes to npm alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { killServerOf, serverPidOf } from "../support/databases/servers/embedded-server.ts";

test("SIGTERM to npm stops the service in order, and npm ends when it has ended", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "pas-npm-start-"));
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir, HTTP_PORT: "0", GRPC_PORT: "0" };
  const npm = spawn("npm", ["start"], { env, detached: true });
  const ended = once(npm, "exit");
  const closed = once(npm, "close");
  onTestFinished(async () => {
    // The group: npm, its shell if there is one, and the service.
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-(npm.pid ?? 0), "SIGKILL");
    await killServerOf(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  });
  let log = "";
  const isReady = new Promise<void>((resolve) => {
    const read = (text: Buffer) => {
      log += text.toString();
      if (log.includes("Stop with Ctrl-C")) resolve();
    };
    npm.stdout.on("data", read);
    npm.stderr.on("data", read);
  });
  await Promise.race([isReady, ended]);
  const [, url = ""] = /REST +(\S+)\/v1/.exec(log) ?? [];
  expect((await fetch(`${url}/readyz`)).status, log).toBe(200);

  npm.kill("SIGTERM");
  const [code, signal] = await ended;
  await closed;
  expect({ code, signal }, log).toEqual({ code: 0, signal: null });
  await expect(fetch(`${url}/readyz`)).rejects.toThrow();
  expect(serverPidOf(dataDir)).toBeUndefined();
  expect(log).toContain('"msg":"stopping"');
});
