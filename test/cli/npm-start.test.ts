// `npm start` as supervisors run it: the signal goes to npm alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isRunning, terminate } from "../../src/database/embedded/process.ts";
import { embeddedPaths, readRecord } from "../../src/database/embedded/state.ts";

test("SIGTERM to npm stops the service in order, and npm ends when it has ended", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "pas-npm-start-"));
  const server = () => readRecord(embeddedPaths(dataDir));
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir, HTTP_PORT: "0", GRPC_PORT: "0" };
  const npm = spawn("npm", ["start"], { env, detached: true });
  const ended = once(npm, "exit");
  const closed = once(npm, "close");
  onTestFinished(async () => {
    // The group: npm, its shell if there is one, and the service.
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-(npm.pid ?? 0), "SIGKILL");
    const left = server();
    if (left !== undefined) await terminate(left, 0);
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
  const [service] = server()?.users ?? [];
  if (service === undefined) throw new Error(`no service is running: ${log}`);

  npm.kill("SIGTERM");
  const [code, signal] = await ended;
  await closed;
  expect({ code, signal }, log).toEqual({ code: 0, signal: null });
  expect(isRunning(service)).toBe(false);
  expect(server()).toBeUndefined();
  expect(log).toContain('"msg":"stopping"');
});
