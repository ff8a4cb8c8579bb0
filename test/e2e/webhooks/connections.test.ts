// Connections of webhooks: kept for the next one, never opened to where they may not go, and encrypted to a name.
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Server, Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderOfTest } from "../../support/folders.ts";
import { copyCertificates } from "../../support/processes/certificates.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";
import { startNameServer } from "../../support/webhooks/name-server.ts";
import { newSender } from "../../support/webhooks/sender.ts";

async function openSender(...allowedNetworks: readonly string[]) {
  return newSender(await startNameServer(["127.0.0.1"]), ...allowedNetworks);
}

/** Listens on loopback until the test ends. @returns its port, and the number of connections so far */
async function listen(server: Server): Promise<{ readonly port: number; readonly connections: () => number }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port, connections: () => connections };
}

async function listenTo(answer: RequestListener) {
  const { port, connections } = await listen(
    createHttpServer((request, response) => answer(request.resume(), response)),
  );
  return { url: `http://127.0.0.1:${port}/`, connections };
}

test("a connection is used again for the next webhook to the same origin", async () => {
  const { url, connections } = await listenTo((_, response) => response.writeHead(204).end());
  const { send } = await openSender("127.0.0.0/8");
  for (let count = 0; count < 3; count += 1) expect(await send(url)).toMatchObject({ status: 204 });
  expect(connections()).toBe(1);
});

test("no connection is opened to an address where webhooks may not go", async () => {
  const { url, connections } = await listenTo((_, response) => response.writeHead(204).end());
  const { send } = await openSender();
  for (const to of [url, url.replace("http:", "https:"), url.replace("127.0.0.1", "partner.example")]) {
    expect(await send(to)).toMatchObject({ status: null, error: "not_public" });
  }
  expect(connections()).toBe(0);
});

test("a pause until a time is counted from when the response comes, by the clock of the message", async () => {
  const sentAt = new Date(Date.UTC(2020, 1, 3));
  const until = new Date(sentAt.getTime() + 90_000).toUTCString();
  const { url } = await listenTo((_, response) => response.writeHead(503, { "retry-after": until }).end());
  const { send } = await openSender("127.0.0.0/8");
  const { retryAfterSeconds } = await send(url, { sentAt });
  expect(retryAfterSeconds).toBeGreaterThan(0);
  expect(retryAfterSeconds).toBeLessThanOrEqual(90);
});

test("a webhook that is under way when the process stops ends at once", async () => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { url } = await listenTo(() => stopping.abort());
  const { send } = await openSender("127.0.0.0/8");
  expect(await send(url, { signal })).toMatchObject({ status: null, error: "stopped" });
  expect(await send(url, { signal })).toMatchObject({ status: null, error: "stopped" });
});

test("an encrypted connection asks for the name of its receiver, since one address serves many", async () => {
  const folder = folderOfTest();
  copyCertificates(folder);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const names: string[] = [];
  const server = createHttpsServer({
    cert: read("server.pem"),
    key: read("server.key"),
    SNICallback: (name, callback) => {
      names.push(name);
      callback(new Error("nobody of that name is here"));
    },
  });
  const { port } = await listen(server);
  const { send } = await openSender("127.0.0.0/8");
  expect(await send(`https://partner.example:${port}/`)).toMatchObject({ status: null });
  expect(names).toEqual(["partner.example"]);
  // An address is no name.
  expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: "tls_failed" });
  expect(names).toEqual(["partner.example"]);
});
