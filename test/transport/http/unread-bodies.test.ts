// Bodies that nobody reads, since their request is refused before: a client that sends all of its body first, as many
// do, hears the response every time; one that never stops is cut off.
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfFile, gatewayOfFile } from "../../support/of-file.ts";
import { openSocket } from "../../support/transports/wire/http2-frames.ts";
import { sendRaw } from "../../support/transports/wire/raw-http.ts";
import { until } from "../../support/until.ts";

const times = 48;
const megabytes = 4;
const sessions = "/v1/values-bridge/sessions";

const app = await appOfFile();
const gateway = await gatewayOfFile(app);
const authorization = `Authorization: Bearer ${(await addCaller(app)).token}`;

/** Sends all of the bytes before it reads anything. @returns the status of the response; undefined if it was lost */
async function sendThenRead(httpUrl: string, head: string, body: Buffer): Promise<number | undefined> {
  const socket = await openSocket(new URL(httpUrl).host);
  socket.pause();
  socket.write(head);
  await new Promise<void>((resolve) => {
    socket.write(body, () => resolve());
  });
  return statusOf(socket);
}

/** Reads what was paused. @returns the status of the response; undefined if it was lost */
async function statusOf(socket: Socket): Promise<number | undefined> {
  const received = await new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      if (text.includes("\r\n\r\n")) resolve(text);
    });
    socket.on("close", () => resolve(text)).resume();
  });
  socket.destroy();
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1];
  return status === undefined ? undefined : Number(status);
}

const json = "Content-Type: application/json";
const form = "Content-Type: application/x-www-form-urlencoded";

const refusals = [
  ["too large", `POST ${sessions}`, ["known", json], 413],
  ["of nobody known", `POST ${sessions}`, [json], 401],
  ["of another type", `POST ${sessions}`, ["known", "Content-Type: text/plain"], 415],
  ["of an address that leads nowhere", "POST /nowhere", [json], 404],
  ["of a method that is not allowed", `PUT ${sessions}`, [json], 405],
  ["too large for a form", "POST /oauth/token", [form], 413],
  ["of a page that nobody may see", `POST /hosted/sessions/${crypto.randomUUID()}/finish`, [form], 403],
  // Connect has statuses of its own for errors.
  ["too large for a message", "POST /assessment.v1.SessionService/GetSession", ["known", json], 429],
] as const;

test.each([
  ...refusals.map((each) => ["the service", ...each] as const),
  ...refusals.slice(0, 2).map((each) => ["a gateway of its own", ...each] as const),
])(
  `the response of %s to a body %s arrives ${times} of ${times} times`,
  async (where, _name, line, headers, expected) => {
    const { httpUrl } = where === "the service" ? app : gateway;
    const own = headers.map((header) => (header === "known" ? authorization : header));
    const body = Buffer.alloc(megabytes << 20, " ");
    const framings = {
      "by length": [`Content-Length: ${body.length}`],
      "in chunks": ["Transfer-Encoding: chunked"],
    };
    for (const [framing, framed] of Object.entries(framings)) {
      const head = [`${line} HTTP/1.1`, "Host: a", ...own, ...framed].join("\r\n").concat("\r\n\r\n");
      const bytes = framing === "in chunks" ? chunked(body) : body;
      const statuses: (number | undefined)[] = [];
      for (let time = 0; time < times / 2; time += 1) statuses.push(await sendThenRead(httpUrl, head, bytes));
      expect([framing, ...statuses]).toEqual([framing, ...Array.from({ length: times / 2 }, () => expected)]);
    }
  },
);

/** The body in one chunk after the other. */
function chunked(body: Buffer): Buffer {
  const size = 16_384;
  const parts: Buffer[] = [];
  for (let start = 0; start < body.length; start += size) {
    const part = body.subarray(start, start + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

test.each([
  ["REST", () => app.httpUrl, sessions, 413],
  ["REST through a gateway of its own", () => gateway.httpUrl, sessions, 413],
  ["Connect", () => app.httpUrl, "/assessment.v1.SessionService/CreateSession", 429],
] as const)(
  "a body announced as too large is refused over %s before any of it arrives",
  async (_name, urlOf, path, expected) => {
    const head = [`POST ${path} HTTP/1.1`, "Host: a", authorization, json, `Content-Length: ${megabytes << 20}`];
    expect((await sendRaw(urlOf(), head.join("\r\n").concat("\r\n\r\n"))).status).toBe(expected);
  },
);

test("a connection serves its next request after a body that nobody read", async () => {
  const socket = await openSocket(new URL(app.httpUrl).host);
  let received = "";
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString("latin1");
  });
  const body = Buffer.alloc(2 << 20, " ");
  socket.write(`POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`);
  socket.write(body);
  socket.write("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
  await until(() => received.includes('{"status":"alive"}'));
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404", "HTTP/1.1 200"]);
  socket.destroy();
});

test.concurrent.each([
  ["a body that nobody reads", "POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ["what is not HTTP", "HELLO\r\n\r\n"],
])("a client that never stops sending %s is disconnected", async (_name, start) => {
  const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(1 << 20), Buffer.from("\r\n")]);
  const socket = (await openSocket(new URL(app.httpUrl).host)).resume();
  socket.write(start);
  for (let sent = 0; sent < 16; sent += 1) socket.write(chunk);
  await until(() => socket.closed);
});
