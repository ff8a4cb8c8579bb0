// Bodies that nobody reads, since their request is refused before: a client that sends all of its body first, as many do,
// hears the response every time; one that never stops is cut off.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addCaller, startTestApp, startTestGateway, type TestApp, type TestGateway } from "../../support/app.ts";
import { openSocket } from "../../support/doors/wire/http2-frames.ts";
import { sendRaw } from "../../support/doors/wire/raw-http.ts";
import { until } from "../../support/friend.ts";

const times = 50;
const megabytes = 4;
const sessions = "/v1/values-bridge/sessions";

let app: TestApp;
let gateway: TestGateway;
let authorization: string;
beforeAll(async () => {
  app = await startTestApp();
  gateway = await startTestGateway(app);
  authorization = `Authorization: Bearer ${(await addCaller(app)).token}`;
});
afterAll(async () => {
  await gateway.stop();
  await app.stop();
});

/** Sends all of the bytes before it reads anything. @returns the status of the response; undefined if it was lost */
async function sendThenRead(httpUrl: string, head: string, body: Buffer): Promise<number | undefined> {
  const socket = await openSocket(new URL(httpUrl).host);
  socket.pause();
  socket.write(head);
  await new Promise<void>((resolve) => {
    socket.write(body, () => resolve());
  });
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

const refused = [
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
  ...refused.map((each) => ["the service", ...each] as const),
  ...refused.slice(0, 2).map((each) => ["a gateway of its own", ...each] as const),
])(`at %s, a body %s is answered ${times} of ${times} times`, async (where, _name, line, headers, expected) => {
  const { httpUrl } = where === "the service" ? app : gateway;
  const own = headers.map((header) => (header === "known" ? authorization : header));
  const body = Buffer.alloc(megabytes << 20, " ");
  for (const framing of ["length", "chunks"] as const) {
    const length = framing === "length" ? `Content-Length: ${body.length}` : "Transfer-Encoding: chunked";
    const head = [`${line} HTTP/1.1`, "Host: a", ...own, length].join("\r\n").concat("\r\n\r\n");
    const bytes = framing === "length" ? body : chunked(body);
    const statuses: (number | undefined)[] = [];
    for (let time = 0; time < times / 2; time += 1) statuses.push(await sendThenRead(httpUrl, head, bytes));
    expect([framing, ...statuses]).toEqual([framing, ...Array.from({ length: times / 2 }, () => expected)]);
  }
});

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
  "over %s, a body that is announced to be too large is refused before any of it comes",
  async (_name, urlOf, path, expected) => {
    const head = [`POST ${path} HTTP/1.1`, "Host: a", authorization, json, `Content-Length: ${megabytes << 20}`];
    expect((await sendRaw(urlOf(), head.join("\r\n").concat("\r\n\r\n"))).status).toBe(expected);
  },
);

test("after a body that nobody read, the next request of the connection is served", async () => {
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

test("who goes on sending for ever is cut off: at once for many bytes, later for few", async () => {
  const { host } = new URL(app.httpUrl);
  const head = "POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const slow = await openSocket(host);
  let isAnswered = false;
  slow.once("data", () => {
    isAnswered = true;
  });
  slow.write(head);
  let pieces = 0;
  const trickle = setInterval(() => {
    if (slow.writable) slow.write("1\r\na\r\n");
    pieces += 1;
  }, 50);
  await until(() => isAnswered);
  const quick = (await openSocket(host)).resume();
  quick.write(head);
  const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(1 << 20), Buffer.from("\r\n")]);
  for (let sent = 0; sent < 16; sent += 1) quick.write(chunk);
  // Both are looked at in turn by one process, so that by time alone the slow one would be first.
  await until(() => quick.closed || slow.closed);
  expect([quick.closed, slow.closed]).toEqual([true, false]);
  // Far more than come in its time, and fewer than in the time that a whole request has.
  await until(() => slow.closed || pieces > 150);
  clearInterval(trickle);
  expect(slow.closed).toBe(true);
});
