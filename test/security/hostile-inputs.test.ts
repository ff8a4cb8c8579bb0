import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { SubjectService } from "../../src/gen/assessment/v1/subject_service_pb.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { playFriend, sessionsOfFriend } from "../support/friend.ts";
import { clientOfFile, servedOfFile } from "../support/of-file.ts";
import { violationsOf } from "../support/transports/grpc-client.ts";
import { openSocket } from "../support/transports/wire/http2-frames.ts";
import { sendRaw } from "../support/transports/wire/raw-http.ts";
import { until } from "../support/until.ts";

const sessions = "/v1/values-bridge/sessions";
const connectPath = "/assessment.v1.SessionService/CreateSession";
const service = await servedOfFile({ LOG_LEVEL: "trace" });
const grpc = clientOfFile(service);
let stored: number;
beforeEach(async () => {
  stored = await service.storedSessions();
});
afterAll(() => playFriend(service));

const authorization = () => `Bearer ${service.token}`;

/** A request, byte for byte. */
function request(method: string, path: string, headers: readonly string[] = [], body = "") {
  const length = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${path} HTTP/1.1`, "Host: a", `Authorization: ${authorization()}`, ...headers, ...length];
  return sendRaw(service.httpUrl, `${lines.join("\r\n")}\r\n\r\n${body}`);
}

function post(
  path: string,
  body: string | Buffer<ArrayBuffer>,
  type = "application/json",
  more: Record<string, string> = {},
) {
  const headers = { authorization: authorization(), "content-type": type, ...more };
  return fetch(service.httpUrl + path, { method: "POST", headers, body });
}

describe("headers within values", () => {
  const line = "set-cookie: planted=1";

  test.each([
    ["the request id", (end: string) => request("GET", sessions, [`X-Request-Id: a${end}${line}`])],
    ["the partner", (end: string) => request("GET", `${sessions}/x`, [`Partner-Id: a${end}${line}`])],
    ["the idempotency key", (end: string) => request("POST", sessions, [`Idempotency-Key: a${end}${line}`], "[]")],
    ["the trace", (end: string) => request("GET", sessions, [`Traceparent: a${end}${line}`])],
    ["the path", (end: string) => request("GET", `/v1/values-bridge/subjects/${end}${line}/results`)],
    ["the address of a page", (end: string) => request("GET", `/hosted/${end}${line}`)],
    ["the code of a problem", (end: string) => request("GET", `/problems/${end}${line}`)],
  ])("headers within %s reach no response", async (_name, send) => {
    for (const end of ["\r\n", "\n", "\r", "%0d%0a", "%0a", "\u0000", "%E5%98%8A%E5%98%8D"]) {
      const { headers } = await send(end);
      expect([end, headers.get("set-cookie")]).toEqual([end, undefined]);
      expect(headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
    }
    expect(await service.storedSessions()).toBe(stored);
  });

  test("headers within the address that a person returns to reach no response", async () => {
    const { httpUrl } = service;
    for (const end of ["\r\n", "\n", "%0d%0a"]) {
      const redirectUrl = `https://partner.example/done?a=1${end}${line}`;
      const created = await post(sessions, JSON.stringify({ mode: "hosted", redirectUrl }));
      const { sessionId, hostedUrl } = (await created.json()) as { sessionId: string; hostedUrl: string };
      await post(`${sessions}/${sessionId}/complete`, JSON.stringify({ answers: [good] }));
      const visitor = new Visitor(httpUrl);
      const onward = `${await visitor.open(hostedUrl)}/onward`;
      const [cookie = ""] = [...visitor.cookies].map((pair) => pair.join("="));
      const response = await sendRaw(httpUrl, `GET ${onward} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`);
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toMatch(/^https:\/\/partner\.example\/done\?/);
      expect(response.headers.get("set-cookie") ?? "").not.toContain("planted");
    }
  });
});

const good = { questionId: 1001, response: { type: "likert", value: 4 } };

test("log lines within values create no line of the log, and the log repeats none of them", async () => {
  const line = '{"level":"fatal","msg":"planted"}';
  for (const end of ["\\n", "\\r\\n", "\\u2028"]) {
    const externalId = `a${end}${line.replaceAll('"', '\\"')}`;
    await post(sessions, `{"subject": {"externalId": "${externalId}"}, "locale": "${externalId}"}`);
  }
  const odd = { "x-request-id": line, traceparent: line, "user-agent": line, "partner-id": line };
  for (const path of [sessions, `${sessions}/x`, `/${encodeURIComponent(`\n${line}`)}`]) {
    await fetch(service.httpUrl + path, { headers: { authorization: authorization(), ...odd } });
  }
  const metadata = { authorization: authorization(), ...odd };
  await grpc.unary(SessionService.method.getSession, { product: `\n${line}` }, { metadata }).catch(() => undefined);
  await post("/assessment.v1.SessionService/GetSession", JSON.stringify({ product: `\n${line}` }), undefined, odd);
  // The log comes through a pipe. Of these calls one came over gRPC and one over Connect.
  await until(() => service.output().split("SessionService/GetSession").length > 2);
  const lines = service.output().split("\n").slice(0, -1);
  for (const each of lines) expect(JSON.parse(each)).toMatchObject({ level: expect.any(String) });
  expect(lines.filter((each) => each.includes("planted"))).toEqual([]);
});

describe("paths that lead elsewhere", () => {
  test.each([
    "/v1/../metrics",
    "/v1/%2e%2e/metrics",
    "/hosted/../metrics",
    "/docs/static/../../metrics",
    "/docs/static/..%2f..%2fpackage.json",
    "/docs/static/%2e%2e/%2e%2e/package.json",
    "/docs/static/..%5c..%5cpackage.json",
    "/docs/static//etc/passwd",
    "/hosted/assets/..%2f..%2fpackage.json",
    "/hosted/assets/%2e%2e%2f%2e%2e%2fpackage.json",
    "//metrics",
    "/metrics/",
    "/%6detrics%00",
    "/metrics%00.html",
    "/metrics;x=1",
    "/./metrics",
    `/v1//values-bridge/sessions/${crypto.randomUUID()}`,
    `/v1/values-bridge//sessions/${crypto.randomUUID()}`,
    `/v1/values-bridge%2fsessions%2f${crypto.randomUUID()}`,
    `/v1/values-bridge/sessions/..%2f..%2f..%2fmetrics`,
    `/v1/values-bridge/sessions/${crypto.randomUUID()}%00/results`,
    `/v1/values-bridge/sessions/%2e%2e/assessment`,
    "/V1/values-bridge/assessment",
    "/v1/VALUES-BRIDGE/assessment",
    "/v1/values-bridge/assessment/",
    "/problems/..%2f..%2fpackage.json",
    "/problems/constructor",
    "/problems/__proto__",
  ])("%s leads nowhere", async (path) => {
    const { status, body } = await request("GET", path);
    expect(status).toBe(404);
    for (const leaked of ["process_resident_memory_bytes", "dependencies", "root:"]) expect(body).not.toContain(leaked);
  });

  test("an absolute address means its path here, and no other host", async () => {
    expect((await request("GET", "http://169.254.169.254/latest/meta-data")).status).toBe(404);
  });

  test.each(["a/b", "../b", "..", ".", "//", "a\\b", "%2f", "a%00b", "a?b#c"])(
    "the external id %j is one segment or refused, and never another path",
    async (externalId) => {
      const answers = { subject: { externalId } };
      const created = await post(sessions, JSON.stringify(answers));
      const path = `/v1/values-bridge/subjects/${encodeURIComponent(externalId)}/results`;
      if (externalId === "." || externalId === "..") {
        expect(created.status).toBe(422);
        expect((await request("GET", path)).status).toBe(404);
        return;
      }
      const { sessionId } = (await created.json()) as { sessionId: string };
      await post(`${sessions}/${sessionId}/complete`, JSON.stringify({ answers: [good] }));
      expect(JSON.parse((await request("GET", path)).body)).toMatchObject(answers);
    },
  );

  test("NUL in an external id is refused on every transport, and nothing is stored", async () => {
    const metadata = { authorization: authorization() };
    const product = "values-bridge";
    expect((await post(sessions, '{"subject": {"externalId": "a\\u0000b"}}')).status).toBe(422);
    expect((await request("GET", "/v1/values-bridge/subjects/a%00b/results")).status).toBe(404);
    const createSession = SessionService.method.createSession;
    const creation = grpc.unary(createSession, { product, subject: { externalId: "a\u0000b" } }, { metadata });
    await expect(creation).rejects.toThrow(/invalid/i);
    const latest = grpc.unary(SubjectService.method.getLatestResults, { product, externalId: "a\0b" }, { metadata });
    await expect(latest).rejects.toThrow(/not_found/i);
    expect(await service.storedSessions()).toBe(stored);
  });
});

describe("members that every object has", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];

  test.each(names)("%s in a body is treated like any other member: refused or dropped", async (name) => {
    for (const body of [`{"${name}": {"mode": "hosted"}}`, `{"${name}": 1}`]) {
      const refusal = await post(sessions, body);
      expect([refusal.status, await refusal.json()]).toMatchObject([422, { errors: [{ code: "unknown_member" }] }]);
    }
    const answers = `{"answers": [{"questionId": 1001, "response": {"type": "likert", "value": 4}, "${name}": {}}]}`;
    expect((await post(`${sessions}/${crypto.randomUUID()}/complete`, answers)).status).toBe(422);
    expect(await service.storedSessions()).toBe(stored);

    const subject = `{"subject": {"${name}": {"externalId": "planted"}}, "metadata": {"${name}": {"${name}": {"mode": "hosted"}}}}`;
    const created = await post(sessions, subject);
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ mode: "headless", subject: { anonymous: true } });
  });

  test.each(names)("%s in a form gives no credential and no response", async (name) => {
    const form = `${name}[client_id]=x&${name}.client_secret=y&${name}=z&grant_type=client_credentials`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await fetch(`${service.httpUrl}/oauth/token`, { method: "POST", headers, body: form });
    expect([response.status, await response.json()]).toMatchObject([401, { error: "invalid_client" }]);
    const page = `${service.httpUrl}/hosted/sessions/${crypto.randomUUID()}/questions/1`;
    expect((await fetch(page, { method: "POST", headers, body: form })).status).toBeLessThan(500);
  });

  test.each(names)("%s as a key of a map over gRPC and Connect is data, or refused", async (name) => {
    const metadata = { authorization: authorization() };
    const input = { product: "values-bridge", metadata: JSON.parse(`{"${name}": {"mode": "hosted"}}`) };
    const { sessionId } = await grpc.unary(SessionService.method.createSession, input, { metadata });
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    const body = `{"product": "values-bridge", "metadata": {"${name}": {"${name}": 1}}, "${name}": 1}`;
    const response = await post(connectPath, body);
    expect(response.status).toBe(400);
    expect(await service.storedSessions()).toBe(stored + 1);
  });

  test.each(names)("%s in a query is refused as an unknown parameter, whatever its value", async (name) => {
    const plain = await request("GET", "/v1/values-bridge/assessment");
    for (const query of [`${name}=1`, `${name}[version]=7`, `version[${name}]=7`]) {
      const refusal = await request("GET", `/v1/values-bridge/assessment?${query}`);
      expect([refusal.status, JSON.parse(refusal.body).errors[0].code]).toEqual([422, "unknown_parameter"]);
    }
    expect((await request("GET", "/v1/values-bridge/assessment")).body).toBe(plain.body);
  });

  test("a friend's session is unchanged after all hostile members", async () => {
    await playFriend(service);
    expect(await service.storedSessions()).toBe(stored + sessionsOfFriend);
  });
});

describe("inputs far too large", () => {
  test.each([
    ["one long header", [`X-Long: ${"a".repeat(17_000)}`], 431],
    ["many headers", Array.from({ length: 1500 }, (_, index) => `X-${index}: aaaaaaaaaa`), 431],
    ["many cookies", [`Cookie: ${Array.from({ length: 1200 }, (_, index) => `c${index}=aaaaaaaaaa`).join(";")}`], 431],
    ["a second token", [`Authorization: Bearer ${"a".repeat(15_000)}`], 401],
    ["many forwarded addresses", [`X-Forwarded-For: ${"1.1.1.1, ".repeat(1_500)}1`], 404],
  ])("%s is refused, or makes no difference", async (_name, headers, expected) => {
    expect((await request("GET", `${sessions}/x`, headers)).status).toBe(expected);
  });

  test("a client that pipelines hundreds of thousands of requests and reads no response is disconnected", async () => {
    const before = await service.residentBytes();
    const socket = await openSocket(new URL(service.httpUrl).host);
    const questions = Buffer.from("GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20_000));
    for (let time = 0; time < 20; time += 1) socket.write(questions);
    await playFriend(service);
    await playFriend(service);
    const grown = (await service.residentBytes()) - before;
    await until(() => socket.closed);
    console.log(`${Math.round(grown / (1 << 20))} MiB more`);
    expect(grown).toBeLessThan(128 << 20);
  });

  test("chunk extensions that never end are refused", async () => {
    const head = `POST ${sessions} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization()}\r\n`;
    const chunk = `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${"a".repeat(20_000)}`;
    expect((await sendRaw(service.httpUrl, head + chunk)).status).toBe(413);
    expect(await service.storedSessions()).toBe(stored);
  });

  test("JSON nested a hundred thousand levels deep is refused over Connect as over REST", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const member of ["metadata", "subject", "other"]) {
      const body = `{"${member}": {"a": ${deep}}, "product": "values-bridge"}`;
      expect([member, (await post(connectPath, body)).status]).toEqual([member, 400]);
    }
    expect(await service.storedSessions()).toBe(stored);
  });

  test("far too many fields are refused on every transport that reads messages, before they are decoded", async () => {
    const { createSession } = SessionService.method;
    const product = toBinary(createSession.input, create(createSession.input, { product: "values-bridge" }));
    const unknownField = [...varint(15_000 * 8), 1];
    const message = (count: number) =>
      Buffer.concat([product, Buffer.from(Array.from({ length: count }, () => unknownField).flat())]);
    const metadata = { authorization: authorization() };
    const overConnect = async (body: Buffer<ArrayBuffer>) => {
      const response = await post(connectPath, body, "application/proto");
      return response.ok ? "ok" : await response.text();
    };
    expect(await overConnect(message(15_000))).toBe("ok");
    expect(await overConnect(message(25_000))).toContain('"TOO_MANY_ITEMS"');
    await grpc.bytes(createSession, message(15_000), { metadata });
    const [violation, ...others] = await violationsOf(grpc.bytes(createSession, message(25_000), { metadata }));
    expect([violation, others]).toEqual([expect.stringMatching(/TOO_MANY_ITEMS$/), []]);
    expect(await service.storedSessions()).toBe(stored + 2);
  });

  test.each(["a document of JSON", "a message"])(
    "a thousand levels inside of %s are reported as too many levels",
    async (kind) => {
      const { createSession } = SessionService.method;
      const levels = 1_000;
      const metadata = { authorization: authorization() };
      if (kind === "a message") {
        const field = createSession.input.fields.find(({ name }) => name === "metadata")?.number ?? 0;
        const call = grpc.bytes(createSession, nestedStruct(field, levels), { metadata });
        expect(await violationsOf(call)).toEqual(["metadata TOO_DEEP"]);
        return;
      }
      const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`;
      const connect = await post(connectPath, `{"metadata": {"a": ${deep}}}`);
      expect(await connect.json()).toMatchObject({
        details: expect.arrayContaining([
          expect.objectContaining({ debug: { fieldViolations: [expect.objectContaining({ reason: "TOO_DEEP" })] } }),
        ]),
      });
    },
  );
});

/** A message whose field is a `google.protobuf.Struct` inside of others. */
function nestedStruct(field: number, levels: number): Buffer {
  const lengthDelimited = (number: number, length: number) =>
    Buffer.from([...varint(number * 8 + 2), ...varint(length)]);
  const heads: Buffer[] = [];
  let totalLength = 0;
  const wrap = (number: number) => {
    const head = lengthDelimited(number, totalLength);
    heads.push(head);
    totalLength += head.length;
  };
  // A Struct has entries (1) with a value (2), which may be a Struct (5).
  for (let level = 0; level < levels; level += 1) for (const number of [5, 2, 1]) wrap(number);
  wrap(field);
  return Buffer.concat(heads.reverse());
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
}
