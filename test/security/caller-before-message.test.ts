// An unknown caller learns nothing from its message, and a slow body holds no slot.
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-node";
import { describe, expect, test } from "vitest";
import { HostedService, SaveHostedAnswersRequestSchema } from "../../src/gen/assessment/v1/hosted_service_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { IssueTokenRequestSchema, TokenService } from "../../src/gen/assessment/v1/token_service_pb.ts";
import { addCaller } from "../support/app.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";
import { appOfTest } from "../support/of-test.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";
import { enveloped } from "../support/worst/send.ts";

const sessions = SessionService.method;
const path = "/assessment.v1.SessionService/CreateSession";
const garbage = Buffer.from([0xff, 0xff, 0xff, 0xff]);

const app = await appOfFile();
const gateway = await gatewayOfFile(app);
const { token } = await addCaller(app);

type Send = (token: string | undefined, body: Buffer, headers?: Record<string, string>) => Promise<string>;

/** What a caller hears who sends these bytes as the message of a creation: the reason, or `ok`. */
const transports: Readonly<Record<string, Send>> = {
  REST: (as, body) => sendHttp(app.httpUrl, "/v1/values-bridge/sessions", as, body, "application/json"),
  "REST through a gateway of its own": (as, body) =>
    sendHttp(gateway.httpUrl, "/v1/values-bridge/sessions", as, body, "application/json"),
  "Connect with JSON": (as, body, headers) => sendHttp(app.httpUrl, path, as, body, "application/json", headers),
  "Connect with binary messages": (as, body, headers) =>
    sendHttp(app.httpUrl, path, as, body, "application/proto", headers),
  "gRPC-Web": (as, body) => sendHttp(app.httpUrl, path, as, enveloped(body), "application/grpc-web+proto"),
  gRPC: sendGrpc,
};

describe.each(Object.entries(transports))("over %s", (_name, send) => {
  test("only a known caller learns that its message cannot be read", async () => {
    expect(await send(undefined, garbage)).toBe("unauthenticated");
    expect(await send("nonsense", garbage)).toBe("unauthenticated");
    expect(await send(token, garbage)).toBe("malformed_request");
  });

  test("only a known caller learns that its message is too large", async () => {
    const large = Buffer.alloc((1 << 20) + 10, "[");
    expect(await send(undefined, large)).toBe("unauthenticated");
    expect(["payload_too_large", "resource_exhausted"]).toContain(await send(token, large));
  });
});

const packed = gzipSync(Buffer.alloc(64 << 20));
const gzip = { "content-encoding": "gzip" };

test.each(["Connect with JSON", "Connect with binary messages"])(
  "a packed message over %s is unpacked for a known caller only, and no further than a message may be",
  async (transport) => {
    expect(await transports[transport]?.(undefined, packed, gzip)).toBe("unauthenticated");
    expect(await transports[transport]?.(token, packed, gzip)).toBe("payload_too_large");
    expect(await transports[transport]?.(undefined, garbage, gzip)).toBe("unauthenticated");
    expect(await transports[transport]?.(token, garbage, gzip)).toBe("malformed_request");
  },
);

test("a packed message over gRPC-Web is unpacked for a known caller only, and no further than a message may be", async () => {
  const sendPacked = (as: string | undefined, body: Buffer) =>
    sendHttp(app.httpUrl, path, as, enveloped(body, true), "application/grpc-web+proto", { "grpc-encoding": "gzip" });
  expect(await sendPacked(undefined, packed)).toBe("unauthenticated");
  expect(await sendPacked(token, packed)).toBe("resource_exhausted");
  expect(await sendPacked(undefined, garbage)).toBe("unauthenticated");
  expect(await sendPacked(token, garbage)).toBe("malformed_request");
});

test("a packed body over REST is refused unread", async () => {
  const send = (as: string | undefined) =>
    sendHttp(app.httpUrl, "/v1/values-bridge/sessions", as, packed, "application/json", gzip);
  expect(await send(undefined)).toBe("unauthenticated");
  expect(await send(token)).toBe("unsupported_media_type");
});

const scopes = Array.from({ length: 20_000 }, () => "x".repeat(4));
const issue = Buffer.from(
  toBinary(IssueTokenRequestSchema, {
    $typeName: "assessment.v1.IssueTokenRequest",
    clientId: "",
    clientSecret: "",
    scopes,
  }),
);

test.each([
  ["as it is", false],
  ["packed", true],
])("a large message without a partner's token is refused over gRPC, %s", async (_name, isPacked) => {
  using client = new GrpcClient(app.grpcAddress, undefined, isPacked);
  const error = await client.bytes(TokenService.method.issueToken, issue, {}).catch((thrown: unknown) => thrown);
  expect(ConnectError.from(error).code).toBe(Code.ResourceExhausted);
});

test.each([
  ["as it is", issue, {}],
  ["packed", gzipSync(issue), { "content-encoding": "gzip" }],
])("a large message without a partner's token is refused over Connect, %s", async (_name, body, headers) => {
  const url = "/assessment.v1.TokenService/IssueToken";
  expect(await sendHttp(app.httpUrl, url, undefined, body, "application/proto", headers)).toBe("payload_too_large");
});

test("a large form without a partner's token is refused over REST", async () => {
  const form = Buffer.from(`grant_type=client_credentials&scope=${"x".repeat(70_000)}`);
  const type = "application/x-www-form-urlencoded";
  expect(await sendHttp(app.httpUrl, "/oauth/token", undefined, form, type)).toBe("payload_too_large");
});

test("a large message with the token of a browser session is refused, since that is not known yet", async () => {
  using client = new GrpcClient(app.grpcAddress);
  const save = toBinary(SaveHostedAnswersRequestSchema, {
    $typeName: "assessment.v1.SaveHostedAnswersRequest",
    sessionId: "x".repeat(100_000),
    answers: [],
  });
  const error = await client.bytes(HostedService.method.saveHostedAnswers, save, {}).catch((thrown: unknown) => thrown);
  expect(ConnectError.from(error).code).toBe(Code.Unauthenticated);
});

test("a slow body holds no slot: with one slot in all, other calls are served meanwhile", async () => {
  const narrow = await appOfTest({ MAX_CONCURRENT_CALLS: "1", MAX_CONCURRENT_CALLS_PER_CLIENT: "1" });
  const slow = await addCaller(narrow);
  const other = await addCaller(narrow);
  const url = `${narrow.httpUrl}/v1/values-bridge/sessions`;
  const headers = { authorization: `Bearer ${slow.token}`, "content-type": "application/json", "content-length": "2" };
  const request = httpRequest(url, { method: "POST", headers });
  request.write("{");
  const served = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${other.token}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(served.status).toBe(201);
  request.end("}");
  const [response] = await once(request, "response");
  expect(response.statusCode).toBe(201);
  response.resume();
});

test("the official gRPC-Web client is served, and gets refusals with their details", async () => {
  const transport = createGrpcWebTransport({ baseUrl: app.httpUrl, httpVersion: "1.1" });
  const client = createClient(SessionService, transport);
  const headers = { authorization: `Bearer ${token}` };
  const created = await client.createSession({ product: "values-bridge" }, { headers });
  expect(created.variant.case).toBe("headless");
  const refusal = await client
    .getSession({ product: "none", sessionId: created.sessionId }, { headers })
    .catch((error: unknown) => error);
  expect(ConnectError.from(refusal).code).toBe(Code.NotFound);
});

async function sendHttp(
  base: string,
  url: string,
  as: string | undefined,
  body: Buffer,
  type: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const authorization: Record<string, string> = as === undefined ? {} : { authorization: `Bearer ${as}` };
  const response = await fetch(base + url, {
    method: "POST",
    headers: { "content-type": type, ...authorization, ...headers },
    body: new Uint8Array(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (type.includes("grpc-web")) return grpcWebReason(bytes);
  const json = JSON.parse(bytes.toString()) as { code?: string; details?: { debug?: { reason?: string } }[] };
  const reason = json.details?.map(({ debug }) => debug?.reason).find((each) => each !== undefined);
  return reason?.toLowerCase() ?? json.code ?? "ok";
}

async function sendGrpc(as: string | undefined, body: Buffer): Promise<string> {
  using client = new GrpcClient(app.grpcAddress);
  try {
    const metadata: Record<string, string> = as === undefined ? {} : { authorization: `Bearer ${as}` };
    await client.bytes(sessions.createSession, body, { metadata });
    return "ok";
  } catch (error) {
    const status = ConnectError.from(error);
    return status.code === Code.InvalidArgument
      ? "malformed_request"
      : (Code[status.code] ?? "").replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();
  }
}

function grpcWebReason(bytes: Buffer): string {
  const trailer = bytes.subarray(5).toString();
  const status = Number(/grpc-status: (\d+)/.exec(trailer)?.[1]);
  if (status === Code.InvalidArgument) return "malformed_request";
  return (Code[status] ?? "ok").replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();
}
