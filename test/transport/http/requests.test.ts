// Every request on the HTTP port is counted, and every one that is refused leaves a line with its id, whoever refused
// it.
import { METHODS } from "node:http";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { addCaller } from "../../support/app.ts";
import { addHostedPartner } from "../../support/browser/hosted.ts";
import { Visitor } from "../../support/browser/visitor.ts";
import { lockRows, untilRunning } from "../../support/databases/locks.ts";
import { seriesOf, sumOf } from "../../support/measures/series.ts";
import { appOfFile, gatewayOfFile } from "../../support/of-file.ts";
import { appOfTest } from "../../support/of-test.ts";
import { openSocket } from "../../support/transports/wire/http2-frames.ts";
import { sendRaw } from "../../support/transports/wire/raw-http.ts";
import { until } from "../../support/until.ts";

const sessions = "/v1/values-bridge/sessions";
const connectPath = "/assessment.v1.SessionService/GetSession";
const count = "pas_http_requests_seconds_count";

const app = await appOfFile();
const gateway = await gatewayOfFile(app);
const authorization = `Authorization: Bearer ${(await addCaller(app)).token}`;

const json = "Content-Type: application/json";
const form = "Content-Type: application/x-www-form-urlencoded";

interface Sent {
  readonly line: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly status: number;
  readonly route: string;
}

/** Requests that are refused, each at another place. `known` stands for a token that is good. */
const refused: readonly (Sent & { readonly isCoreOnly?: boolean })[] = [
  { line: "GET /nowhere", status: 404, route: "none" },
  { line: "BREW /nowhere", status: 400, route: "none" },
  { line: "QUERY /nowhere", status: 404, route: "none" },
  { line: `PUT ${sessions}`, status: 405, route: "/v1/:product/sessions" },
  { line: "PUT /v1//sessions", status: 404, route: "none" },
  { line: "GET /v1//sessions", headers: ["known"], status: 404, route: "/v1/:product/sessions" },
  { line: "GET /v1/%zz", status: 400, route: "none" },
  { line: `GET /v1/values-bridge/subjects/${"a".repeat(4097)}/results`, status: 414, route: "none" },
  { line: "GET /livez", headers: [`X-Long: ${"a".repeat(17_000)}`], status: 431, route: "none" },
  { line: `GET ${sessions}/x`, headers: ["Expect: tea"], status: 400, route: "/v1/:product/sessions/:id" },
  { line: "GET /problems/nonsense", status: 404, route: "/problems/:code" },
  { line: "GET /metrics", headers: ["X-Forwarded-For: 203.0.113.1"], status: 404, route: "/metrics" },
  {
    line: `POST ${sessions}`,
    headers: ["Authorization: Bearer nonsense"],
    status: 401,
    route: "/v1/:product/sessions",
  },
  {
    line: `POST ${sessions}`,
    headers: ["known", "Content-Type: a/b"],
    body: "{}",
    status: 415,
    route: "/v1/:product/sessions",
  },
  { line: `POST ${sessions}`, headers: ["known", json], body: '{"x": 1}', status: 422, route: "/v1/:product/sessions" },
  { line: `GET ${sessions}/x`, headers: ["known"], status: 404, route: "/v1/:product/sessions/:id" },
  { line: "POST /oauth/token", headers: [form], body: "a=b", status: 401, route: "/oauth/token" },
  { line: "POST /oauth/token", headers: [json], body: "{}", status: 415, route: "/oauth/token" },
  { line: "GET /hosted/nonsense", status: 404, route: "/hosted/:linkToken" },
  { line: `GET /hosted/sessions/${crypto.randomUUID()}`, status: 403, route: "/hosted/sessions/:sessionId" },
  { line: "GET /hosted/%zz", status: 404, route: "/hosted/:linkToken" },
  { line: `GET /reports/${"a".repeat(4097)}`, status: 404, route: "/reports/:linkToken" },
  { line: "GET /hosted/no/such/page", status: 404, route: "none" },
  { line: `POST ${connectPath}`, headers: [json], body: "{}", status: 401, route: connectPath, isCoreOnly: true },
  {
    line: `POST ${connectPath}`,
    headers: ["Content-Type: a/b"],
    body: "{}",
    status: 415,
    route: connectPath,
    isCoreOnly: true,
  },
  {
    line: `POST ${connectPath}`,
    headers: [json, "Connect-Timeout-Ms: soon"],
    body: "{}",
    status: 400,
    route: connectPath,
    isCoreOnly: true,
  },
];

function bytesOf({ line, headers = [], body = "" }: Sent): string {
  const length = body === "" ? [] : [`Content-Length: ${body.length}`];
  const all = headers.map((header) => (header === "known" ? authorization : header));
  return [`${line} HTTP/1.1`, "Host: a", ...all, ...length].join("\r\n").concat("\r\n\r\n", body);
}

describe.each([
  ["the service", () => app],
  ["a gateway of its own", () => gateway],
] as const)("at %s", (name, serverOf) => {
  test("each refusal is counted under its route, and a line has its id, once", async () => {
    const { httpUrl, logLines } = serverOf();
    const all = refused.filter(({ isCoreOnly }) => isCoreOnly !== true || name === "the service");
    const before = await seriesOf(httpUrl, count);
    const ids: string[] = [];
    for (const sent of all) {
      const { status, headers } = await sendRaw(httpUrl, bytesOf(sent));
      expect([sent.line.slice(0, 60), status]).toEqual([sent.line.slice(0, 60), sent.status]);
      ids.push(headers.get("x-request-id") ?? "none");
    }
    const after = await seriesOf(httpUrl, count);
    const added = (route: string, status: number) => {
      const labels = [...after].filter(
        ([own]) => own.includes(`route="${route}"`) && own.includes(`status="${status}"`),
      );
      return labels.reduce((sum, [own, value]) => sum + value - (before.get(own) ?? 0), 0);
    };
    for (const { route, status } of all) {
      const expected = all.filter((each) => each.route === route && each.status === status).length;
      expect([route, status, added(route, status)]).toEqual([route, status, expected]);
    }
    const lines = logLines.map((line) => JSON.parse(line) as { requestId?: string; level: string; outcome?: string });
    for (const id of ids) {
      const own = lines.filter(({ requestId, level }) => requestId === id && level !== "debug");
      expect([id, own.length]).toEqual([id, 1]);
    }
    expect(logLines.join("")).not.toContain("nonsense");
  });

  test("a success is counted and leaves no line", async () => {
    const { httpUrl, logLines } = serverOf();
    const id = crypto.randomUUID();
    const path = "/v1/values-bridge/assessment";
    const labels = [`route="/v1/:product/assessment"`, `method="GET"`, `status="200"`];
    const callLabels = ['rpc="AssessmentService/GetPublishedAssessment"', 'transport="rest"', 'outcome="ok"'];
    const before = await sumOf(httpUrl, count, ...labels);
    const callsBefore = await sumOf(httpUrl, "pas_calls_seconds_count", ...callLabels);
    await sendRaw(
      httpUrl,
      bytesOf({ line: `GET ${path}`, headers: ["known", `X-Request-Id: ${id}`], status: 200, route: path }),
    );
    expect(await sumOf(httpUrl, count, ...labels)).toBe(before + 1);
    expect(await sumOf(httpUrl, "pas_calls_seconds_count", ...callLabels)).toBe(callsBefore + 1);
    const lines = logLines.map((line) => JSON.parse(line) as { requestId?: string; level: string; outcome?: string });
    const own = lines.filter(({ requestId }) => requestId === id);
    expect(own.filter(({ level }) => level !== "debug")).toEqual([]);
    // At the level for debugging, each process has a line of the call.
    expect(own.filter(({ outcome }) => outcome === "ok")).toHaveLength(1);
  });

  test("an unknown method returns 404 or 405 on every path, and is no defect", async () => {
    const { httpUrl, logLines } = serverOf();
    const paths = ["/nowhere", "/", "*", sessions, "/hosted/x", "/hosted/nowhere/x", "/livez", "/docs", connectPath];
    for (const method of METHODS.filter((each) => !["GET", "POST", "HEAD", "CONNECT"].includes(each))) {
      for (const path of paths) {
        for (const body of [[], ["Content-Type: a/b", "Content-Length: 2", "", "{}"]]) {
          const head = [`${method} ${path} HTTP/1.1`, "Host: a", "Connection: close", ...body];
          const { status, headers } = await sendRaw(
            httpUrl,
            head.join("\r\n").concat(body.length > 0 ? "" : "\r\n\r\n"),
          );
          expect([method, path, [404, 405].includes(status)]).toEqual([method, path, true]);
          if (status === 405) expect(headers.get("allow")).toMatch(/[A-Z]/);
        }
      }
    }
    expect(logLines.filter((line) => JSON.parse(line).level === "error")).toEqual([]);
  });
});

describe("callers that leave", () => {
  const arrivingBytes = (httpUrl: string) => sumOf(httpUrl, "pas_arriving_bytes");

  /** How often callers have left before their response. */
  const countGone = (httpUrl: string) => sumOf(httpUrl, count, 'status="gone"');

  test.each([
    [
      "in the middle of its body",
      `POST ${sessions} HTTP/1.1\r\nHost: a\r\nknown\r\n${json}\r\nContent-Length: 99\r\n\r\n{`,
    ],
    [
      "in the middle of a chunk",
      `POST ${sessions} HTTP/1.1\r\nHost: a\r\nknown\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{`,
    ],
    ["in the middle of a form", `POST /oauth/token HTTP/1.1\r\nHost: a\r\n${form}\r\nContent-Length: 99\r\n\r\na`],
    [
      "in the middle of a message",
      `POST ${connectPath} HTTP/1.1\r\nHost: a\r\nknown\r\n${json}\r\nContent-Length: 99\r\n\r\n{`,
    ],
  ])("%s is counted as the caller's fault, not the service's", async (_name, bytes) => {
    const { httpUrl, logLines } = app;
    const callsGone = () => sumOf(httpUrl, "pas_calls_seconds_count", 'outcome="caller_gone"');
    for (const leave of ["destroy", "resetAndDestroy"] as const) {
      const [before, callsBefore, start] = [await countGone(httpUrl), await callsGone(), logLines.length];
      const reading = await arrivingBytes(httpUrl);
      const socket = await openSocket(new URL(httpUrl).host);
      socket.write(bytes.replace("known", authorization));
      await until(async () => (await arrivingBytes(httpUrl)) > reading);
      socket[leave]();
      await until(async () => (await countGone(httpUrl)) === before + 1);
      await until(async () => (await callsGone()) === callsBefore + 1);
      expect(await arrivingBytes(httpUrl)).toBe(reading);
      expect(logLines.slice(start).filter((line) => JSON.parse(line).level !== "debug")).toEqual([]);
    }
  });

  test("a caller that leaves during authentication ends its call as well", async () => {
    const { httpUrl, database } = app;
    onTestFinished(() => void database.connection.query("UNLOCK TABLES"));
    const stranger = await addCaller(app);
    const before = await sumOf(httpUrl, "pas_calls_seconds_count", 'outcome="caller_gone"');
    await database.connection.query("LOCK TABLES access_tokens WRITE, clients WRITE");
    const socket = await openSocket(new URL(httpUrl).host);
    const head = `POST ${sessions} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${stranger.token}\r\n${json}`;
    socket.write(`${head}\r\nContent-Length: 99\r\n\r\n{`);
    const gonesBefore = await countGone(httpUrl);
    await until(async () => (await sumOf(httpUrl, "pas_calls_in_flight", 'state="running"')) > 0);
    socket.destroy();
    await until(async () => (await countGone(httpUrl)) === gonesBefore + 1);
    await database.connection.query("UNLOCK TABLES");
    await until(async () => (await sumOf(httpUrl, "pas_calls_seconds_count", 'outcome="caller_gone"')) === before + 1);
  });

  test("a caller that leaves as soon as it has sent its request causes no defect, however it leaves", async () => {
    const { httpUrl, logLines } = app;
    const start = logLines.length;
    const { host } = new URL(httpUrl);
    const requests = [
      `GET ${sessions}/x HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`,
      `POST ${sessions} HTTP/1.1\r\nHost: a\r\n${authorization}\r\n${json}\r\nContent-Length: 2\r\n\r\n{}`,
      "GET /hosted/x HTTP/1.1\r\nHost: a\r\n\r\n",
      `POST ${connectPath} HTTP/1.1\r\nHost: a\r\n${authorization}\r\n${json}\r\nContent-Length: 2\r\n\r\n{}`,
    ];
    for (let round = 0; round < 40; round += 1) {
      const sockets = await Promise.all(requests.map(() => openSocket(host)));
      for (const [index, socket] of sockets.entries()) {
        socket.write(requests[index] ?? "", () => (round % 2 === 0 ? socket.resetAndDestroy() : socket.destroy()));
      }
      await until(() => sockets.every((socket) => socket.closed));
    }
    expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200);
    expect(logLines.slice(start).filter((line) => ["warn", "error"].includes(JSON.parse(line).level))).toEqual([]);
  });

  test("a caller that leaves a page between two calls to the core causes no defect", async () => {
    const { httpUrl, logLines, database } = app;
    const partner = await addHostedPartner(app);
    const { hostedUrl, sessionId } = await partner.createHosted();
    const visitor = new Visitor(httpUrl);
    const path = `${await visitor.open(hostedUrl)}/questions/1`;
    const csrfToken = await visitor.csrfToken(path);
    const [cookie = ""] = [...visitor.cookies].map((pair) => pair.join("="));
    const body = new URLSearchParams({ csrfToken, "q-1001": "3", go: "skip" }).toString();
    const start = logLines.length;
    const before = await countGone(httpUrl);
    const lock = "SELECT id FROM sessions WHERE id = ? FOR UPDATE";
    const release = await lockRows(database, lock, [uuidToBytes(sessionId)]);
    const socket = await openSocket(new URL(httpUrl).host);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n${form}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await untilRunning(database, "UPDATE sessions");
    socket.resetAndDestroy();
    await until(async () => (await countGone(httpUrl)) === before + 1);
    const read = () => sumOf(httpUrl, "pas_calls_seconds_count", "GetHostedSession");
    const readBefore = await read();
    await release();
    await until(async () => (await read()) > readBefore);
    expect(logLines.slice(start).filter((line) => ["warn", "error"].includes(JSON.parse(line).level))).toEqual([]);
  });
});

describe("/metrics", () => {
  const token = "the-operators-own-token";
  const status = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/metrics`, { headers })).status;

  test("metrics are served to loopback, and not to requests that a proxy on this machine forwards", async () => {
    expect(await status(app.httpUrl)).toBe(200);
    expect(await status(app.httpUrl, { "x-forwarded-for": "127.0.0.1" })).toBe(404);
    expect(await status(app.httpUrl, { forwarded: "for=127.0.0.1" })).toBe(404);
  });

  test("metrics with a token are served only to requests with that token, from loopback too", async () => {
    const guarded = await appOfTest({ METRICS_TOKEN: token });
    const as = (text: string) => status(guarded.httpUrl, { authorization: `Bearer ${text}` });
    expect(await as(token)).toBe(200);
    expect([
      await status(guarded.httpUrl),
      await as("x".repeat(token.length)),
      await as(`${token}x`),
      await as("x"),
    ]).toEqual([404, 404, 404, 404]);
  });

  test("metrics without a token are not served to another machine", async () => {
    const own = Object.values(networkInterfaces())
      .flat()
      .find((each) => each !== undefined && !each.internal && each.family === "IPv4");
    if (own === undefined)
      throw new Error("this machine has no address but loopback, so the test cannot come from elsewhere");
    const everywhere = await appOfTest({ HOST: "0.0.0.0" });
    const { port } = new URL(everywhere.httpUrl);
    expect(await status(`http://127.0.0.1:${port}`)).toBe(200);
    expect(await status(`http://${own.address}:${port}`)).toBe(404);
  });
});

test("a core without REST routes counts its requests and logs its refusals as well", async () => {
  const core = await appOfTest({}, "core");
  const response = await fetch(`${core.httpUrl}${sessions}`, { method: "POST" });
  expect(response.status).toBe(404);
  const id = response.headers.get("x-request-id") ?? "none";
  expect(core.logLines.filter((line) => line.includes(id))).toHaveLength(1);
  expect(await sumOf(core.httpUrl, count, 'route="none"', 'status="404"')).toBe(1);
});
