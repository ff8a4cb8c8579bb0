// Connections of webhooks: kept for the next one, encrypted to who they should lead to, and broken in every way.
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { AddressGuard, nameResolver } from "../../../src/webhooks/sending/destinations.ts";
import { HttpWebhookSender } from "../../../src/webhooks/sending/sender.ts";
import { copyCertificates } from "../../support/processes/certificates.ts";
import { startNameServer } from "../../support/webhooks/name-server.ts";

async function newSender(signal = new AbortController().signal, allowedNetworks = ["127.0.0.0/8"]) {
  const resolve = nameResolver([await startNameServer(["127.0.0.1"])]);
  const guard = new AddressGuard(allowedNetworks);
  const sender = new HttpWebhookSender({ guard, resolve, monotonic: () => performance.now() });
  onTestFinished(() => sender.close());
  const message = { id: "evt_1", body: "{}", secrets: [Buffer.alloc(32)], sentAt: new Date() };
  const send = async (url: string) => {
    const result = await sender.send({ ...message, url }, signal);
    // A connection is free in the next turn of the event loop.
    await setImmediate();
    return result;
  };
  return { sender, send };
}

/** Listens on loopback until the test ends. @returns its port, and the number of connections so far */
async function listen(server: Server): Promise<{ readonly port: number; readonly connections: () => number }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** A server that notes how often it is asked. */
async function listenTo(answer: (count: number, ...args: Parameters<RequestListener>) => void) {
  let count = 0;
  const server = createHttpServer((request, response) => {
    count += 1;
    request.resume();
    answer(count, request, response);
  });
  const { port, connections } = await listen(server);
  return { url: `http://127.0.0.1:${port}/`, connections, requests: () => count };
}

test("a connection is used again for the next webhook to the same origin", async () => {
  const { url, connections } = await listenTo((_, __, response) => response.writeHead(204).end());
  const { send } = await newSender();
  for (let count = 0; count < 3; count += 1) expect(await send(url)).toMatchObject({ status: 204 });
  expect(connections()).toBe(1);
});

test("a connection that breaks is a failure, and nothing is sent a second time", async () => {
  const { url, requests } = await listenTo((_, { socket }) => void socket.destroy());
  const { send } = await newSender();
  expect(await send(url)).toMatchObject({ status: null, error: "connection_lost" });
  expect(requests()).toBe(1);
});

test("no connection is opened to an address where webhooks may not go", async () => {
  const { url, connections } = await listenTo((_, __, response) => response.writeHead(204).end());
  const { send } = await newSender(new AbortController().signal, []);
  for (const to of [url, url.replace("http:", "https:"), url.replace("127.0.0.1", "partner.example")]) {
    expect(await send(to)).toMatchObject({ status: null, error: "not_public" });
  }
  expect(connections()).toBe(0);
});

test.each([
  ["nonsense", "hello\r\n\r\n", { status: null, error: "malformed_response" }],
  ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", { status: null }],
  [
    "something before the response",
    "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 204 None\r\n\r\n",
    { status: 204, error: null },
  ],
  ["a body that breaks off", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab", { status: 200, error: null }],
  ["an end before the response", "", { status: null, error: "connection_lost" }],
])("%s is reported by its own name", async (_, bytes, expected) => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(bytes));
  });
  const { port } = await listen(server);
  const { send } = await newSender();
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject(expected);
});

test("a webhook that is under way when the process stops ends at once", async () => {
  const stopping = new AbortController();
  const { url } = await listenTo(() => stopping.abort());
  const { send } = await newSender(stopping.signal);
  expect(await send(url)).toMatchObject({ status: null, error: "stopped" });
  expect(await send(url)).toMatchObject({ status: null, error: "stopped" });
});

test("an encrypted connection leads to the host named in its certificate, if a trusted authority signed that", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pas-webhooks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyCertificates(folder);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  let requests = 0;
  const server = createHttpsServer({ cert: read("server.pem"), key: read("server.key") }, (request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(204).end();
  });
  const { port, connections } = await listen(server);
  const { sender, send } = await newSender();
  expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: "tls_failed" });
  const trusted = getCACertificates("default");
  onTestFinished(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, read("ca.pem")]);
  // The certificate is that of another name.
  expect(await send(`https://partner.example:${port}/`)).toMatchObject({ status: null, error: "tls_failed" });
  expect(requests).toBe(0);
  const before = connections();
  for (let count = 0; count < 2; count += 1) {
    expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ status: 204, error: null });
  }
  sender.close();
  expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ status: 204, error: null });
  expect([requests, connections() - before]).toEqual([3, 2]);
});

test("an encrypted connection asks for the name of its receiver, since one address serves many", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pas-webhooks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
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
  const { send } = await newSender();
  expect(await send(`https://partner.example:${port}/`)).toMatchObject({ status: null });
  expect(names).toEqual(["partner.example"]);
  // An address is no name.
  expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: "tls_failed" });
  expect(names).toEqual(["partner.example"]);
});
