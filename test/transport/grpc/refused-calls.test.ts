// Every call that is refused over gRPC, Connect or gRPC-Web is counted by its outcome, and leaves one line with its id.
import { create, toBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { GetSessionRequestSchema } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { seriesOf } from "../../support/measures/series.ts";
import { enveloped } from "../../support/worst/send.ts";

const path = "/assessment.v1.SessionService/GetSession";
const unknownId = "00000000-0000-7000-8000-000000000000";
const messageOf = (product: string, sessionId: string) =>
  toBinary(GetSessionRequestSchema, create(GetSessionRequestSchema, { product, sessionId }));

interface Refused {
  readonly token: "good" | "without the scope" | "unknown" | "none";
  readonly message: Uint8Array;
  readonly outcome: string;
}

const message = messageOf("values-bridge", unknownId);
const calls: readonly Refused[] = [
  { token: "none", message, outcome: "unauthenticated" },
  { token: "unknown", message, outcome: "unauthenticated" },
  { token: "without the scope", message, outcome: "permission_denied" },
  { token: "good", message: Buffer.of(0x0a, 0xff), outcome: "malformed_request" },
  { token: "good", message, outcome: "not_found" },
  { token: "good", message: messageOf("nonsense", unknownId), outcome: "not_found" },
];

let app: TestApp;
let tokens: Record<Refused["token"], string | undefined>;
beforeAll(async () => {
  app = await startTestApp();
  const [good, without] = [await addCaller(app), await addCaller(app, ["sessions:write"])];
  tokens = { good: good.token, "without the scope": without.token, unknown: "nonsense", none: undefined };
});
afterAll(() => app.stop());

const headersOf = (token: string | undefined, requestId: string): Record<string, string> => ({
  "x-request-id": requestId,
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
});

/** Makes a call. @returns the request id of its answer */
type Ask = (bytes: Uint8Array, headers: Record<string, string>) => Promise<string | undefined>;

const overGrpc: Ask = (bytes, headers) => {
  const client = new grpc.Client(app.grpcAddress, grpc.credentials.createInsecure());
  onTestFinished(() => client.close());
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return new Promise((resolve) => {
    const call = client.makeUnaryRequest(
      path,
      (value: Uint8Array) => Buffer.from(value),
      (value: Buffer) => value,
      bytes,
      metadata,
      () => undefined,
    );
    call.on("status", (status) => resolve(status.metadata.get("x-request-id")[0]?.toString()));
  });
};

const overHttp = (type: string, wrap: (bytes: Uint8Array) => Uint8Array): Ask => {
  return async (bytes, headers) => {
    const response = await fetch(app.httpUrl + path, {
      method: "POST",
      headers: { ...headers, "content-type": type },
      body: Buffer.from(wrap(bytes)),
    });
    await response.arrayBuffer();
    return response.headers.get("x-request-id") ?? undefined;
  };
};

describe.each<[protocol: string, transport: string, ask: () => Ask]>([
  ["gRPC", "grpc", () => overGrpc],
  ["Connect", "connect", () => overHttp("application/proto", (bytes) => bytes)],
  ["gRPC-Web", "connect", () => overHttp("application/grpc-web+proto", enveloped)],
])("over %s", (_protocol, transport, ask) => {
  test("each refusal is counted by its outcome, and one line has its id", async () => {
    const counts = () => seriesOf(app.httpUrl, "pas_calls_seconds_count");
    const before = await counts();
    const ids: string[] = [];
    for (const { token, message: bytes } of calls) {
      const id = crypto.randomUUID();
      expect(await ask()(bytes, headersOf(tokens[token], id))).toBe(id);
      ids.push(id);
    }
    const after = await counts();
    const added = (outcome: string) => {
      const own = [...after].filter(([labels]) =>
        [`rpc="SessionService/GetSession"`, `door="${transport}"`, `outcome="${outcome}"`].every((each) =>
          labels.includes(each),
        ),
      );
      return own.reduce((sum, [labels, count]) => sum + count - (before.get(labels) ?? 0), 0);
    };
    for (const { outcome } of calls) {
      expect([outcome, added(outcome)]).toEqual([outcome, calls.filter((each) => each.outcome === outcome).length]);
    }
    const lines = app.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const told = ids.map((id) => lines.filter(({ requestId, level }) => requestId === id && level !== "debug"));
    expect(told.map((own) => own.map(({ outcome }) => outcome))).toEqual(calls.map(({ outcome }) => [outcome]));
    expect(app.logLines.join("")).not.toContain("nonsense");
  });
});
