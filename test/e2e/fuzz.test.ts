// Thousands of requests that are nearly right, from a seed: every one is answered, none with an error of the service's
// own, and the process neither ends nor grows.
import { create, type DescMethodUnary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Scope } from "../../src/domain/identity/scopes.ts";
import { getOperation, operations } from "../../src/gateway/rest/operations.ts";
import { services } from "../../src/kernel/services.ts";
import { howMany, inExtent } from "../support/extent.ts";
import { mutated, mutatedBytes } from "../support/inputs/mutations.ts";
import { servedGatewayOfFile, servedOfFile } from "../support/of-file.ts";
import { noLimits } from "../support/processes/settings.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { bodies } from "./cases/access.ts";
import { bodyOf } from "./cases/case.ts";

const seed = 20261120;
const parallel = 16;
const scopes: readonly Scope[] = [
  "sessions:write",
  "sessions:read",
  "results:read",
  "assessments:read",
  "subjects:delete",
  "admin",
  "gateway",
];
const served = await servedOfFile();
const credentials = await served.addInternalClient(scopes);
const gateway = await servedGatewayOfFile(served, credentials, noLimits);
const token = await served.tokenOf(credentials);
const { sessionId } = bodyOf(await restTransport(served.httpUrl).createSession({ token }));

/** Runs every request, some at a time, and gives what came of each. */
async function all<T>(requests: readonly (() => Promise<T>)[]): Promise<T[]> {
  const outcomes: T[] = [];
  const queue = requests.values();
  const work = async () => {
    for (const request of queue) outcomes.push(await request());
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return outcomes;
}

/** Bodies that are right, with as many members as there are. */
const whole: Readonly<Record<string, object>> = {
  ...bodies,
  createSession: {
    ...{
      subject: { externalId: "somebody" },
      mode: "hosted",
      form: "short",
      locale: "de",
      metadata: { order: [1, {}] },
    },
    ...{ redirectUrl: "https://partner.example/?a=1", personAccess: "none", expiresAt: "2027-01-01T00:00:00Z" },
  },
  createReportLink: { expiresInSeconds: 3_600, locale: "de", name: "Zoë", date: "2026-11-23", timeZone: "Asia/Tokyo" },
  updateWebhookEndpoint: { url: "https://partner.example/", types: ["session.created"], enabled: true, resume: "now" },
};

interface AnyRequest {
  readonly path: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

function anyRequest(): fc.Arbitrary<AnyRequest> {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("..", ".", "%2e", "a/b", "Bob", "\u0000", "a".repeat(300)),
  );
  const id = fc.oneof(
    { weight: 3, arbitrary: fc.constant(sessionId) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: text },
  );
  const product = fc.oneof({ weight: 30, arbitrary: fc.constant("values-bridge") }, { weight: 1, arbitrary: text });
  const ascii = fc.string({ unit: "binary-ascii" }).map((value) => value.replaceAll(/[^\x20-\x7e]/g, ""));
  const headers = fc.record(
    {
      authorization: fc.oneof(
        { weight: 9, arbitrary: fc.constant(`Bearer ${token}`) },
        { weight: 1, arbitrary: ascii },
      ),
      "content-type": fc.oneof(
        { weight: 30, arbitrary: fc.constant("application/json") },
        { weight: 1, arbitrary: ascii },
      ),
      "idempotency-key": ascii,
      "x-request-id": ascii,
      "if-none-match": ascii,
      "accept-encoding": fc.constantFrom("gzip", "br", "*", "identity;q=0", "gzip;q=x"),
    },
    { requiredKeys: ["authorization", "content-type"] },
  );
  const actingFor = fc.oneof(
    { weight: 40, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.record({ "partner-id": ascii }) },
  );
  // A session comes of few of its requests, so there are more of these.
  const chosen = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...operations) },
    { weight: 1, arbitrary: fc.constant(getOperation("createSession")) },
  );
  return chosen.chain((operation) =>
    fc
      .record({
        product,
        id,
        text,
        headers,
        actingFor,
        query: fc.oneof(fc.constant(""), text),
        body: operation.hasBody ? anyBody(whole[operation.id] ?? {}) : fc.constant(undefined),
      })
      .map((parts) => ({
        path:
          operation.url
            .replace(":product", () => segment(parts.product))
            .replace(/:(id|endpointId|deliveryId)/g, () => segment(parts.id))
            .replace(":externalId", () => segment(parts.text)) +
          (parts.query === "" ? "" : `?version=${segment(parts.query)}&explain=${segment(parts.query)}`),
        init: {
          method: operation.method,
          headers: { ...parts.headers, ...parts.actingFor },
          ...(["POST", "PATCH", "PUT"].includes(operation.method) && parts.body !== undefined
            ? { body: parts.body }
            : {}),
        },
      })),
  );
}

function segment(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

function anyBody(right: object): fc.Arbitrary<string | Uint8Array<ArrayBuffer> | undefined> {
  const json = mutated(fc.constant(right)).map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 12, arbitrary: json },
    {
      weight: 2,
      arbitrary: mutatedBytes(json.map((value) => Buffer.from(value ?? ""))).map((bytes) => Uint8Array.from(bytes)),
    },
    { weight: 1, arbitrary: fc.constant(undefined) },
    // Where every member may be absent, this is right.
    { weight: 1, arbitrary: fc.constant("{}") },
  );
}

const throughGateway = ["a gateway of its own", gateway] as const;
const requestCount = howMany(6_000, 3_000);
const warmUps = howMany(2_000, 1_500);

async function send(url: string, { path, init }: AnyRequest) {
  const response = await fetch(url + path, init);
  return { path, init, status: response.status, body: await response.text() };
}

// A short run goes through both processes at once.
test.each(inExtent([["the service", served] as const, throughGateway], [throughGateway]))(
  `${requestCount} mutated requests to %s over REST all get a response, and no defect`,
  async (_name, { httpUrl, residentBytes }) => {
    const sample = fc.sample(anyRequest(), { seed, numRuns: requestCount });
    const statuses: number[] = [];
    const before: number[] = [];
    for (const part of [sample.slice(0, warmUps), sample.slice(warmUps)]) {
      const responses = await all(part.map((request) => () => send(httpUrl, request)));
      // A busy machine asks some to come again. Nobody else calls then.
      for (const busy of responses.filter(({ status }) => status === 503)) {
        await expect.poll(async () => (await send(httpUrl, busy)).status).toBeLessThan(500);
      }
      expect(responses.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
      for (const { status, body } of responses.filter((response) => response.status >= 400)) {
        expect(JSON.parse(body)).toMatchObject({ status, code: expect.any(String) });
      }
      statuses.push(...responses.map(({ status }) => status));
      before.push(await residentBytes());
    }
    expect(statuses).toHaveLength(requestCount);
    for (const expected of [200, 201, 401, 404, 415, 422]) expect(statuses).toContain(expected);
    const [early = 0, late = 0] = before;
    expect(late - early).toBeLessThan(64 << 20);
  },
);

test("2,500 mutated messages over gRPC all get a response, and no defect", async () => {
  const methods = services.flatMap((service) => service.methods) as DescMethodUnary[];
  const message = fc.constantFrom(...methods).chain((method) => {
    const fields = Object.fromEntries(
      method.input.fields.map((field) => [field.localName, fieldValues(field.localName)]),
    );
    const bytes = fc.record(fields, { requiredKeys: [] }).map((init) => encode(method, init));
    return fc.tuple(fc.constant(method), mutatedBytes(bytes));
  });
  const client = new GrpcClient(served.grpcAddress);
  const metadata = { authorization: `Bearer ${token}` };
  const sample = fc.sample(message, { seed, numRuns: 2500 });
  /** Asked to come again, as above. */
  const busy: [DescMethodUnary, Uint8Array][] = [];
  const codeOf = async (method: DescMethodUnary, bytes: Uint8Array) => {
    try {
      await client.bytes(method, bytes, { metadata, timeoutMs: 250_000 });
      return 0;
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      return error.code as number;
    }
  };
  const codes = await all(
    sample.map(([method, bytes]) => async () => {
      const code = await codeOf(method, bytes);
      if (code === Code.Unavailable) busy.push([method, bytes]);
      return code;
    }),
  );
  for (const call of busy) await expect.poll(() => codeOf(...call)).not.toBe(Code.Unavailable);
  client.close();
  const defects = [Code.Internal, Code.Unknown, Code.DeadlineExceeded, Code.DataLoss, Code.Canceled];
  expect(codes.filter((code) => defects.includes(code))).toEqual([]);
  expect(codes).toHaveLength(2500);
  for (const expected of [0, Code.InvalidArgument, Code.NotFound]) expect(codes).toContain(expected);
  expect((await fetch(`${served.httpUrl}/readyz`)).status).toBe(200);
});

function fieldValues(name: string): fc.Arbitrary<unknown> {
  if (name === "product") return fc.constantFrom("values-bridge", "other", "");
  if (name === "sessionId") return fc.constantFrom(sessionId, "x", "");
  if (name === "answers") {
    const answer = fc.record({
      questionId: fc.integer({ min: 1000, max: 1160 }),
      response: fc.record({ type: fc.nat(3), value: fc.double() }),
    });
    return fc.array(answer, { maxLength: 5 });
  }
  return fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
}

/** The bytes of a message; of an empty one where the values do not fit its fields. */
function encode(method: DescMethodUnary, init: Record<string, unknown>): Uint8Array {
  try {
    return toBinary(method.input, create(method.input, init as MessageInitShape<typeof method.input>));
  } catch {
    return new Uint8Array();
  }
}
