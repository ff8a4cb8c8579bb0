// What the system refuses is told in words that say what to do.
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { readDemoClient } from "../../src/cli/demo/demo-client.ts";
import { describeError } from "../../src/cli/faults.ts";
import { folderOfFile } from "../support/folders.ts";
import { freePort } from "../support/processes/free-port.ts";

const describeFailure = (work: Promise<unknown>) => work.then(() => undefined, describeError);

test("a demo client that cannot be read is no missing one", async () => {
  const dataDir = folderOfFile();
  expect(await describeFailure(readDemoClient(dataDir))).toEqual([expect.stringContaining("demo-client.json yet")]);
  await mkdir(join(dataDir, "demo-client.json"));
  expect(await describeFailure(readDemoClient(dataDir))).toEqual([expect.stringContaining("EISDIR")]);
});

test("a port in use is named, over HTTP and over gRPC", async () => {
  const port = await freePort();
  const first = createServer();
  await new Promise<void>((resolve) => first.listen(port, "127.0.0.1", resolve));
  const words = [
    `127.0.0.1:${port} is taken already; stop what listens there, or set another port: HTTP_PORT, GRPC_PORT, METRICS_PORT`,
  ];
  const second = createServer();
  const listening = new Promise((resolve, reject) =>
    second.once("error", reject).listen(port, "127.0.0.1", () => resolve(0)),
  );
  expect(await describeFailure(listening)).toEqual(words);
  const grpc = new Server();
  const bound = new Promise((resolve, reject) =>
    grpc.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(0),
    ),
  );
  expect(await describeFailure(bound)).toEqual(words);
  await new Promise((resolve) => first.close(resolve));
});

test("any other error is printed as it is", () => {
  expect(describeError(new Error("no such thing"))).toEqual(["no such thing"]);
});
