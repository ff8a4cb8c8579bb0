// Receivers that misbehave, a row for each way: what is recorded for the attempt, and when the event is tried again.
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from "node:tls";
import { gzipSync } from "node:zlib";
import type { RowDataPacket } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { dayMs } from "../../../src/kernel/environment.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { folderOfFile } from "../../support/folders.ts";
import { copyCertificates } from "../../support/processes/certificates.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";
import { newDeliverer, openDeliveryWorld } from "../../support/webhooks/delivering.ts";

/** What a receiver says at most. */
const maxBytes = 64 * 1024 * 1024;
/** A clock so far ahead that no retry is due. */
const aheadMs = dayMs;

/** What a receiver does with a connection on which a request has begun to arrive. */
type Behaviour = (socket: Socket) => unknown;

const says =
  (text: string): Behaviour =>
  (socket) =>
    socket.end(text);
const keepsOpen =
  (text: string): Behaviour =>
  (socket) =>
    socket.write(text);
const answers = (status: number, ...headers: readonly string[]): Behaviour =>
  says([`HTTP/1.1 ${status} Said`, "Content-Length: 0", ...headers, "", ""].join("\r\n"));
const retryAfter = (status: number, value: string) => answers(status, `Retry-After: ${value}`);
/** By the clock of the deliverer. */
const inMinutes = (minutes: number) => new Date(Date.now() + aheadMs + minutes * 60_000).toUTCString();
/** Says something, and then the same until the connection is closed. */
const floods =
  (begin: string, piece: string): Behaviour =>
  (socket) => {
    const pieces = piece.repeat(Math.ceil(65_536 / piece.length));
    const fill = () => {
      while (!socket.destroyed && socket.bytesWritten < maxBytes && socket.write(pieces));
    };
    socket.write(begin);
    socket.on("drain", fill);
    fill();
  };
const slowly =
  (text: string): Behaviour =>
  (socket) => {
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      socket.write(text.charAt(count - 1));
    }, 100);
    socket.on("close", () => clearInterval(timer));
  };
const bomb = gzipSync(Buffer.alloc(maxBytes));
const bombs: Behaviour = (socket) => {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
  socket.write(bomb);
};

interface Row {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** The status or the error that is recorded. */
  readonly recorded: number | string;
  /** What follows: nothing more, the end of the endpoint, or another try after so many seconds. */
  readonly next: "delivered" | "gone" | number;
  /** For how many seconds nothing at all is sent to the endpoint; null: other events are. */
  readonly rest: number | null;
  /** Of a receiver whose URL is encrypted; none: it is not encrypted itself. */
  readonly tls?: TlsOptions | "none";
  /** Nobody listens. */
  readonly isClosed?: boolean;
}

const tableRow = (
  name: string,
  behaviour: Behaviour,
  recorded: Row["recorded"],
  next: Row["next"] = 5,
  more = {},
): Row => ({
  ...{ name, behaviour, recorded, next, rest: null },
  ...more,
});
const delivered = (name: string, behaviour: Behaviour, status = 200) => tableRow(name, behaviour, status, "delivered");
const asksForTime = (status: number, value: string, next: number, rest: number | null) =>
  tableRow(`${status} with Retry-After: ${value}`, retryAfter(status, value), status, next, { rest });

const folder = folderOfFile();
copyCertificates(folder);
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const certified = { cert: read("server.pem"), key: read("server.key") };
const encrypted = (name: string, tls: Row["tls"], recorded: Row["recorded"], next: Row["next"] = 5) =>
  tableRow(name, answers(204), recorded, next, { tls });

const rows: readonly Row[] = [
  ...[200, 202, 204, 205, 206, 299].map((status) => delivered(`${status}`, answers(status), status)),
  ...[300, 301, 302, 303, 307, 308].map((status) =>
    tableRow(`a redirect, ${status}`, answers(status, "Location: http://127.0.0.1:9/"), status),
  ),
  ...[304, 400, 401, 403, 404, 405, 409, 413, 500, 502, 504, 599].map((status) =>
    tableRow(`${status}`, answers(status), status),
  ),
  tableRow("410", answers(410, "Retry-After: 9"), 410, "gone"),
  ...[429, 503].map((status) => tableRow(`${status} without Retry-After`, answers(status), status)),
  asksForTime(503, inMinutes(-1), 5, null),
  asksForTime(503, "120", 120, 120),
  asksForTime(429, inMinutes(30), 1_799, 1_799),
  asksForTime(503, "3601", 3_600, 3_600),
  asksForTime(503, "999999999999", 3_600, 3_600),
  asksForTime(429, "-1", 5, null),
  asksForTime(503, "soon", 5, null),
  delivered("no length, and an end", says("HTTP/1.0 200 OK\r\n\r\nwhole"), 200),
  delivered("a connection that is kept", keepsOpen("HTTP/1.1 204 None\r\n\r\n"), 204),
  delivered("a connection that is not", answers(204, "Connection: close"), 204),
  delivered("a body that never ends", floods("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nmore\r\n")),
  delivered("a body that never comes", keepsOpen("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")),
  delivered("a body that breaks off", says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab")),
  delivered("a body that is longer than it says", says("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab")),
  delivered("chunks that are none", says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n")),
  delivered("64 MiB as a small gzip", bombs),
  delivered("103 before the response", says("HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 204 None\r\n\r\n"), 204),
  tableRow("103 without end", floods("", "HTTP/1.1 103 Early\r\n\r\n"), "malformed_response"),
  // Nobody asked for it, and the client takes it for the end.
  tableRow("100 before the response", says("HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 204 None\r\n\r\n"), "connection_lost"),
  tableRow(
    "101",
    says("HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
    "connection_lost",
  ),
  tableRow("silence", () => undefined, "timeout"),
  tableRow("a response byte by byte", slowly(`HTTP/1.1 204 None\r\nX-Long: ${"a".repeat(1_000)}`), "timeout"),
  tableRow("nobody at the port", () => undefined, "connect_failed", 5, { isClosed: true }),
  tableRow("an end before the response", says(""), "connection_lost"),
  tableRow("half a status line", says("HTTP/1.1 20"), "connection_lost"),
  tableRow("half of the headers", says("HTTP/1.1 204 None\r\nX-Half: a"), "connection_lost"),
  tableRow("a reset", (socket) => socket.resetAndDestroy(), "connection_lost"),
  tableRow("nonsense", says("hello\r\n\r\n"), "malformed_response"),
  tableRow(
    "two lengths",
    says("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    "malformed_response",
  ),
  tableRow(
    "a length and chunks",
    says("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "malformed_response",
  ),
  tableRow(
    "HTTP/2 without encryption",
    says(Buffer.from("000000040000000000", "hex").toString("latin1")),
    "malformed_response",
  ),
  tableRow("large headers", answers(204, `X-Long: ${"a".repeat(20_000)}`), "headers_too_large"),
  tableRow("a header that never ends", floods("HTTP/1.1 204 None\r\nX-Long: ", "a"), "headers_too_large"),
  tableRow("headers that never end", floods("HTTP/1.1 204 None\r\n", "X-Many: a\r\n"), "headers_too_large"),
  encrypted("a certificate of a trusted authority", certified, 204, "delivered"),
  encrypted("a certificate of another name", { cert: read("localhost.pem"), key: read("localhost.key") }, "tls_failed"),
  encrypted("TLS 1.1 at most", { ...certified, maxVersion: "TLSv1.1", minVersion: "TLSv1" }, "tls_failed"),
  encrypted("HTTP/2 alone", { ...certified, ALPNProtocols: ["h2"] }, "tls_failed"),
  encrypted("a certificate asked of the client", { ...certified, requestCert: true }, "connection_lost"),
  tableRow("no encryption where it should be", says("HTTP/1.1 400 Bad\r\n\r\n"), "tls_failed", 5, { tls: "none" }),
  tableRow("a handshake that never ends", () => undefined, "connect_timeout", 5, { tls: "none" }),
];

const sockets: Socket[] = [];

/** Listens as the row says until the test ends. @returns its URL */
async function listen({ behaviour, tls, isClosed = false }: Row): Promise<string> {
  const begin = (socket: Socket) => {
    sockets.push(socket.on("error", () => undefined));
    socket.once("data", () => behaviour(socket));
  };
  const server = tls === undefined || tls === "none" ? createServer(begin) : createTlsServer(tls, begin);
  const port = await listenOnLoopback(server);
  if (isClosed) server.close();
  else onTestFinished(() => void server.close());
  return `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}/`;
}

test("what a receiver does is recorded as it was, and decides when its event is tried again", async () => {
  const authorities = getCACertificates("default");
  setDefaultCACertificates([...authorities, read("ca.pem"), read("other-ca.pem")]);
  const world = await openDeliveryWorld();
  onTestFinished(async () => {
    setDefaultCACertificates(authorities);
    for (const socket of sockets) socket.destroy();
    await world.close();
  });
  const ids = new Map<Row, Buffer>();
  for (const row of rows) {
    const partnerId = await world.addPartner();
    const { endpoint } = await world.addEndpoint(partnerId, await listen(row));
    ids.set(row, uuidToBytes(endpoint.id));
    await world.addSession(partnerId);
  }
  await world.sequence();
  const { run, results, stop } = newDeliverer(world, { aheadMs, concurrency: 4 * rows.length });
  await expect.poll(async () => run().then(() => results.length)).toBe(rows.length);
  await stop();
  const outcomes = rows.map(async (row) => {
    const find = async (sql: string) => (await world.connection.query<RowDataPacket[]>(sql, [ids.get(row)]))[0];
    const [attempt] = await find("SELECT * FROM webhook_attempts WHERE endpoint_id = ?");
    const [delivery] = await find("SELECT * FROM webhook_deliveries WHERE endpoint_id = ?");
    const [endpoint] = await find("SELECT * FROM webhook_endpoints WHERE id = ?");
    /** The seconds until then: as expected if they are, but for the jitter and for the time of this test. */
    const until = (time: Date, expected: unknown) => {
      const seconds = (time.getTime() - attempt?.at) / 1_000;
      const isAsExpected =
        seconds >= Number(expected) * 0.8 && time.getTime() <= Date.now() + aheadMs + Number(expected) * 1_200;
      return isAsExpected ? expected : seconds;
    };
    const isFailed = endpoint?.failures === 1 && delivery?.attempts === 1;
    const next =
      delivery === undefined ? "delivered" : isFailed ? until(delivery.next_at, row.next) : endpoint?.disabled_reason;
    const rest = endpoint?.paused_until === null ? null : until(endpoint?.paused_until, row.rest);
    return [row.name, attempt?.status ?? attempt?.error, next, rest];
  });
  expect(await Promise.all(outcomes)).toEqual(
    rows.map(({ name, recorded, next, rest }) => [name, recorded, next, rest]),
  );
  // Of one that never ends a few megabytes are read at most.
  expect(Math.max(...sockets.map(({ bytesWritten }) => bytesWritten))).toBeLessThan(maxBytes / 4);
});
