// The Connect transport: whatever the library refuses by itself is told in the words of the error table, and
// no caller makes the transport fail.
import { gzipSync } from "node:zlib";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { expect, test } from "vitest";
import { ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";
import { addCaller } from "../../support/app.ts";
import { appOfFile } from "../../support/of-file.ts";
import { strangersRequest } from "../../support/transports/routes.ts";
import { openSocket } from "../../support/transports/wire/http2-frames.ts";
import { sendRaw } from "../../support/transports/wire/raw-http.ts";
import { enveloped } from "../../support/worst/send.ts";

const createSession = "/assessment.v1.SessionService/CreateSession";
const getSession = "/assessment.v1.SessionService/GetSession";
const introspect = "/assessment.v1.TokenService/Introspect";

const app = await appOfFile();
const authorization = `Bearer ${(await addCaller(app)).token}`;

test("a member that is there twice is refused as over REST, and its name is in no log", async () => {
  const twice = Buffer.from('{"product": "values-bridge", "metadata": {"somebody": 1, "somebody": 2}}');
  const refusal = await post(createSession, "application/json", twice);
  const { code, message, details } = (await refusal.json()) as {
    code: string;
    message: string;
    details: { debug: object }[];
  };
  expect({ code, message }).toEqual({
    code: "invalid_argument",
    message: "An object has a member twice; send it once.",
  });
  expect(details.map(({ debug }) => debug)).toContainEqual({
    fieldViolations: [expect.objectContaining({ reason: "REPEATED_MEMBER" })],
  });
  expect(app.logLines.join("")).toContain("repeated_member");
  expect(app.logLines.join("")).not.toContain("somebody");
});

function post(path: string, type: string, body: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  const all = { authorization, "content-type": type, ...headers };
  return fetch(app.httpUrl + path, { method: "POST", headers: all, body: new Uint8Array(body) });
}

/** What a response of Connect says: its status, and the reason in its details. */
async function refusalIn(response: Response): Promise<[status: number, reason: string | undefined]> {
  const { details = [] } = (await response.json()) as { details?: { debug?: { reason?: string } }[] };
  return [response.status, details.map(({ debug }) => debug?.reason).find((each) => each !== undefined)];
}

/** The same of gRPC-Web: its status is in the envelope behind its messages. */
async function webRefusalIn(response: Response): Promise<[status: number | undefined, reason: string | undefined]> {
  const trailer = Buffer.from(await response.arrayBuffer())
    .subarray(5)
    .toString("latin1");
  const lines = trailer.split("\r\n").filter((line) => line !== "");
  const error = findTrailerError(
    new Headers(lines.map((line) => [line.split(":")[0] ?? "", line.replace(/^[^:]*:/, "")])),
  );
  return [error?.code, error?.findDetails(ErrorInfoSchema)[0]?.reason];
}

const large = Buffer.alloc((1 << 20) + 1);
/** Fields without end: `metadata` of a creation, of many empty entries. */
const manyFields = Buffer.alloc(2 * 25_000, Buffer.from([0x0a, 0x00]));
const notUtf8 = Buffer.from('{"product": "values-bridge\u00ff"}', "latin1");
const gzip = { "content-encoding": "gzip" };

test.each<[fault: string, type: string, body: Buffer, headers: Record<string, string>, number, string]>([
  ["no JSON", "application/json", Buffer.from("{"), {}, 400, "MALFORMED_REQUEST"],
  ["JSON that is not UTF-8", "application/json", notUtf8, {}, 400, "MALFORMED_REQUEST"],
  ["an unknown member", "application/json", Buffer.from('{"a": 1}'), {}, 400, "INVALID_REQUEST"],
  ["no message", "application/proto", Buffer.from([0xff]), {}, 400, "MALFORMED_REQUEST"],
  ["more fields than a request has", "application/proto", manyFields, {}, 400, "INVALID_REQUEST"],
  ["the same, packed", "application/proto", gzipSync(manyFields), gzip, 400, "INVALID_REQUEST"],
  ["more bytes than a message has, packed", "application/proto", gzipSync(large), gzip, 429, "PAYLOAD_TOO_LARGE"],
  [
    "an unknown coding",
    "application/json",
    Buffer.from("{}"),
    { "content-encoding": "br" },
    501,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  [
    "a timeout that is none",
    "application/json",
    Buffer.from("{}"),
    { "connect-timeout-ms": "a" },
    400,
    "MALFORMED_REQUEST",
  ],
])("Connect refuses %s with its reason", async (_fault, type, body, headers, status, reason) => {
  expect(await refusalIn(await post(createSession, type, body, headers))).toEqual([status, reason]);
});

test.each([
  ['{"product": "values-bridge", "nope": 1}', "nope", "UNKNOWN_MEMBER"],
  ['{"redirect_URL": "https://a.example"}', "redirect_URL", "UNKNOWN_MEMBER"],
  ['{"subject": {"nope": 1}}', "subject.nope", "UNKNOWN_MEMBER"],
  ['{"group_id": 7}', "group_id", "WRONG_TYPE"],
  ['{"mode": "paper"}', "mode", "UNKNOWN_VALUE"],
  ['{"mode": 99}', "mode", "UNKNOWN_VALUE"],
  ['{"expires_at": "2026-01-01"}', "expires_at", "INVALID_FORMAT"],
  ['{"subject": []}', "subject", "WRONG_TYPE"],
  ['{"subject": {"externalId": 7}}', "subject.external_id", "WRONG_TYPE"],
  ["[]", "", undefined],
])("JSON %s is refused with the place of its violation: %s", async (body, field, reason) => {
  const response = await post(createSession, "application/json", Buffer.from(body));
  const { message, details } = (await response.json()) as {
    message: string;
    details: { debug: { fieldViolations?: object[] } }[];
  };
  const violations = details.flatMap(({ debug }) => debug.fieldViolations ?? []);
  expect(violations).toEqual(reason === undefined ? [] : [expect.objectContaining({ field, reason })]);
  expect(message.startsWith(field)).toBe(true);
});

test("packed JSON is not read as binary fields", async () => {
  const spaces = Buffer.from(`${" ".repeat(60_000)}{"product": "values-bridge"}`);
  expect((await post(createSession, "application/json", gzipSync(spaces), gzip)).status).toBe(200);
});

test("a timeout of a hundred days acts like no timeout", async () => {
  const headers = { "connect-timeout-ms": "8640000000" };
  const response = await post(createSession, "application/json", Buffer.from('{"product": "values-bridge"}'), headers);
  expect(response.status).toBe(200);
});

const proto = "application/grpc-web+proto";
test.each<[fault: string, body: Buffer, headers: Record<string, string>, number, string]>([
  ["no message", enveloped(Buffer.from([0xff])), {}, 3, "MALFORMED_REQUEST"],
  ["no envelope", Buffer.from([0, 0]), {}, 3, "MALFORMED_REQUEST"],
  ["two envelopes", Buffer.concat([enveloped(Buffer.alloc(0)), enveloped(manyFields)]), {}, 3, "MALFORMED_REQUEST"],
  ["a packed message without its coding", enveloped(gzipSync(""), true), {}, 3, "MALFORMED_REQUEST"],
  ["more fields than a request has", enveloped(manyFields), {}, 3, "INVALID_REQUEST"],
  ["the same, packed", enveloped(gzipSync(manyFields), true), { "grpc-encoding": "gzip" }, 3, "INVALID_REQUEST"],
  ["an unknown coding", enveloped(Buffer.alloc(0)), { "grpc-encoding": "br" }, 12, "UNSUPPORTED_MEDIA_TYPE"],
  ["a timeout that is none", enveloped(Buffer.alloc(0)), { "grpc-timeout": "a" }, 3, "MALFORMED_REQUEST"],
])("gRPC-Web refuses %s with its reason", async (_fault, body, headers, status, reason) => {
  expect(await webRefusalIn(await post(createSession, proto, body, headers))).toEqual([status, reason]);
});

test.each(["GET", "DELETE"])("rpcs are not served by %s", async (method) => {
  const response = await fetch(`${app.httpUrl}${getSession}?encoding=json&message={}`, { method });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

test("a known caller without a Host, or with a bad one, gets 400", async () => {
  for (const [version, host] of [
    ["1.0", ""],
    ["1.0", "Host:\r\n"],
    ["1.1", ""],
    ["1.1", "Host: a b:99999\r\n"],
  ]) {
    const head = `POST ${getSession} HTTP/${version}\r\n${host}Authorization: ${authorization}\r\n`;
    const response = await sendRaw(app.httpUrl, `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    expect([version, host, response.status]).toEqual([version, host, 400]);
  }
});

test("callers that disconnect during many calls do not end the process", async () => {
  const { host } = new URL(app.httpUrl);
  const { method, path, headers, body } = strangersRequest({ method: "POST", url: introspect });
  const fields = Object.entries({ host: "a", ...headers, "content-length": `${body.length}` });
  const call = `${method} ${path} HTTP/1.1\r\n${fields.map((field) => field.join(": ")).join("\r\n")}\r\n\r\n${body}`;
  for (let connection = 0; connection < 10; connection += 1) {
    const socket = await openSocket(host);
    socket.pause().write(call.repeat(60));
    await fetch(`${app.httpUrl}/livez`);
    socket.destroy();
  }
  // An error that nobody listens to would end this process, which is the service's.
  expect((await fetch(`${app.httpUrl}/livez`)).status).toBe(200);
});
