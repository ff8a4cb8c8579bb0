// No request is slow: whatever a caller sends, to any operation through any transport, the event loop of every process
// is held for a short time only. Inputs are those that cost a careless reader most, at the limits of size.
import { Agent } from "node:http";
import { gzipSync } from "node:zlib";
import { create, type DescMethodUnary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { internalScopes, partnerScopes } from "../../src/domain/identity/scopes.ts";
import { operations } from "../../src/gateway/rest/operations.ts";
import { ReportService } from "../../src/gen/assessment/v1/report_service_pb.ts";
import { getMessageLimit, maxMessageBytes, maxUnknownMessageBytes } from "../../src/kernel/calls/core.ts";
import { readRequiredScope } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/kernel/services.ts";
import { answer, bodyOf } from "../e2e/cases/case.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { inExtent } from "../support/extent.ts";
import { playFriend } from "../support/friend.ts";
import { LoopHolds, slowness } from "../support/measures/loop-holds.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { type Gateway, type Served, startServed, startServedGateway } from "../support/transports/served.ts";
import type { As, Transport } from "../support/transports/transports.ts";
import { worstJson } from "../support/worst/json.ts";
import { worstMessages } from "../support/worst/protobuf.ts";
import { withWorstHeaders, withWorstPaths } from "../support/worst/requests.ts";
import { type Alike, oneOfEachKind } from "../support/worst/selection.ts";
import { enveloped, overHttp, overHttp2, type Send, type WorstRequest } from "../support/worst/send.ts";
import { worstTexts } from "../support/worst/texts.ts";

/**
 * Most milliseconds of processor time that a request may hold a loop. These are the limits of a machine that has
 * nothing else to do; one that is busy takes longer for the same work, since it shares caches and the memory's speed.
 */
const limits = { known: 50, unknown: 5 };
/** Twice, and as much more as the machine takes longer now for a fixed piece of work. */
const headRoom = 2 * Math.max(1, slowness());
const seed = 20261121;
const scopes = [...partnerScopes, ...internalScopes];

type Caller = keyof typeof limits;

interface Input extends WorstRequest, Alike {
  readonly caller: Caller;
}

const bomb = gzipSync(Buffer.alloc(64 << 20));
const packBody = ([kind, body]: [string, () => Buffer]): [string, () => Buffer] => [kind, () => gzipSync(body())];
const agent = new Agent({ keepAlive: true });
let holds: LoopHolds;
let service: Served;
let gateway: Gateway;
let bearer: string;
let sessionId: string;
let reportBrowserSession: { sessionId: string; token: string };
let browserSession: { sessionId: string; token: string; cookie: string; csrfToken: string };
let senders: Record<string, Send>;
let grpc: ReturnType<typeof overHttp2>;

beforeAll(async () => {
  holds = await LoopHolds.prepare();
  const environment = { HOSTED_RATE_LIMIT_PER_MINUTE: "0", TRUSTED_PROXIES: "127.0.0.0/8" };
  service = await startServed({ ...environment, ...holds.watchAnother() });
  const credentials = await service.addInternalClient(scopes);
  gateway = await startServedGateway(service, credentials, { ...environment, ...holds.watchAnother() });
  const as = { token: await service.tokenOf(credentials) };
  bearer = `Bearer ${as.token}`;
  grpc = overHttp2(service.grpcAddress);
  const http = overHttp(service.httpUrl, agent);
  senders = { HTTP: http, "HTTP through a gateway of its own": overHttp(gateway.httpUrl, agent), gRPC: grpc };
  const transport = restTransport(service.httpUrl);
  ({ sessionId } = bodyOf(await transport.createSession(as)));
  browserSession = await openBrowserSession(transport, as);
  reportBrowserSession = await openReportBrowserSession(transport, as);
  await playFriend(service);
});
afterAll(async () => {
  agent.destroy();
  grpc.close();
  await gateway.stop();
  await service.stop();
  await holds.end();
});

async function openBrowserSession(transport: Transport, as: As) {
  const hostedMode = { mode: "hosted", redirectUrl: "https://partner.example/" };
  const { hostedUrl = "", ...created } = bodyOf(await transport.createSession(as, hostedMode));
  const visitor = new Visitor(service.httpUrl);
  const start = await visitor.open(hostedUrl);
  const [[name = "", token = ""] = []] = [...visitor.cookies];
  const csrfToken = await visitor.csrfToken(`${start}/questions/1`);
  return { sessionId: created.sessionId, token, cookie: `${name}=${token}`, csrfToken };
}

/** A browser session of a report. */
async function openReportBrowserSession(transport: Transport, as: As): Promise<typeof reportBrowserSession> {
  const { sessionId: reported } = bodyOf(await transport.createSession(as));
  bodyOf(await transport.completeSession(as, reported, { answers: [answer(1001, 4)] }));
  const { reportUrl } = bodyOf(await transport.createReportLink(as, reported));
  const client = new GrpcClient(service.grpcAddress);
  const linkToken = reportUrl.slice(reportUrl.lastIndexOf("/") + 1);
  const { browserSessionToken } = await client.unary(ReportService.method.exchangeReportLink, { linkToken });
  client.close();
  return { sessionId: reported, token: browserSessionToken };
}

function input(transport: string, caller: Caller, operation: string) {
  return ([kind, request]: [string, WorstRequest]): Input => ({ ...request, transport, caller, operation, kind });
}

/** Every operation of REST. */
function restInputs(transport: string): Input[] {
  return operations.flatMap(({ id: name, method, url }, index) =>
    (["known", "unknown"] as const).flatMap((caller) => {
      const path = url
        .replace(":product", "values-bridge")
        .replace(":id", sessionId)
        .replace(":externalId", "somebody");
      const authorization: Record<string, string> = caller === "known" ? { authorization: bearer } : {};
      const request = { method, path, headers: { ...authorization } };
      const bodies =
        method === "POST" ? jsonBodies(caller, ["answers", "subject", "metadata", "locale", "redirectUrl"], {}) : [];
      return [
        ...withWorstHeaders(request, seed + index),
        ...withWorstPaths(request),
        ...bodies.map(([kind, body]): [string, WorstRequest] => [
          kind,
          { ...request, headers: { ...authorization, "content-type": "application/json" }, body },
        ]),
      ].map(input(transport, caller, name));
    }),
  );
}

/** The worst values as a whole body, and in every member of one that is right otherwise. */
function jsonBodies(
  caller: Caller,
  members: readonly string[],
  rest: object,
  bytes = maxMessageBytes,
): [string, () => Buffer][] {
  const begin = JSON.stringify(rest).slice(0, -1);
  const comma = begin === "{" ? "" : ",";
  const values = worstJson(bytes - 1000);
  return [
    ...values.map(([kind, text]): [string, () => Buffer] => [kind, () => Buffer.from(text())]),
    // An unknown caller's body is not looked at.
    ...(caller === "unknown" && bytes === maxMessageBytes ? [] : members).flatMap((member) =>
      values.map(([kind, text]): [string, () => Buffer] => [
        `${kind} as ${member}`,
        () => Buffer.from(`${begin}${comma}"${member}":${text()}}`),
      ]),
    ),
  ];
}

/** What fields of requests mean that are right. */
const sound: Readonly<Record<string, unknown>> = { product: "values-bridge" };

/** Every rpc over gRPC, Connect and gRPC-Web. */
function rpcInputs(): Input[] {
  const methods = services.flatMap(({ methods: all }) => all) as DescMethodUnary[];
  return methods.flatMap((method, index) => {
    const scope = readRequiredScope(method);
    const callers: readonly Caller[] = scope === "none" ? ["unknown"] : ["known", "unknown"];
    return callers.flatMap((caller) => rpcInputsOf(method, caller, scope, index));
  });
}

function rpcInputsOf(method: DescMethodUnary, caller: Caller, scope: string, index: number): Input[] {
  const bytes = getMessageLimit(scope);
  const names = method.input.fields.map(({ localName }) => localName);
  const browserSessions: Readonly<Record<string, typeof reportBrowserSession>> = {
    hosted: browserSession,
    report: reportBrowserSession,
  };
  const id = browserSessions[scope]?.sessionId ?? sessionId;
  const base = Object.fromEntries(Object.entries({ ...sound, sessionId: id }).filter(([name]) => names.includes(name)));
  const prefix = toBinary(method.input, create(method.input, base as MessageInitShape<typeof method.input>));
  const ofBrowserSession = browserSessions[scope];
  const token = ofBrowserSession === undefined ? bearer : `Bearer ${ofBrowserSession.token}`;
  const own: Record<string, string> = caller === "known" ? { authorization: token } : {};
  const path = `/${method.parent.typeName}/${method.name}`;
  const request = (type: string, body: () => Uint8Array, more = {}): WorstRequest => ({
    method: "POST",
    path,
    headers: { ...own, "content-type": type, ...more },
    body,
  });
  const messages = worstMessages(method.input, bytes - prefix.length - 16);
  const binary = messages.map(([kind, message]): [string, () => Buffer] => [
    kind,
    () => Buffer.concat([prefix, message()]),
  ]);
  const json = jsonBodies(caller, names, base, bytes);
  const make = (transport: string, requests: [string, WorstRequest][]) =>
    requests.map(input(transport, caller, method.name));
  return [
    ...make("gRPC", [
      ...binary.map(([kind, body]): [string, WorstRequest] => [
        kind,
        request("application/grpc", () => enveloped(body())),
      ]),
      ...[...binary.map(packBody), ["a bomb", () => bomb] as const].map(([kind, body]): [string, WorstRequest] => [
        `${kind}, packed`,
        request("application/grpc", () => enveloped(body(), true), { "grpc-encoding": "gzip" }),
      ]),
      ...withWorstHeaders(
        request("application/grpc", () => enveloped(prefix)),
        seed + index,
      ),
    ]),
    ...make("HTTP", [
      ...json.map(([kind, body]): [string, WorstRequest] => [`${kind}, Connect`, request("application/json", body)]),
      ...binary.map(([kind, body]): [string, WorstRequest] => [`${kind}, Connect`, request("application/proto", body)]),
      ...binary
        .slice(0, 5)
        .map(([kind, body]): [string, WorstRequest] => [
          `${kind}, gRPC-Web`,
          request("application/grpc-web+proto", () => enveloped(body())),
        ]),
      ["a bomb, Connect", request("application/json", () => bomb, { "content-encoding": "gzip" })],
      [
        "a packed text, Connect",
        request("application/json", () => gzipSync(json[0]?.[1]() ?? ""), { "content-encoding": "gzip" }),
      ],
      ...withWorstHeaders(
        request("application/json", () => Buffer.from("{}")),
        seed + index,
      ),
    ]),
  ];
}

/** Forms, pages and what else there is for browsers and programs. */
function otherInputs(transport: string): Input[] {
  const start = `/hosted/sessions/${browserSession.sessionId}`;
  const pages = [
    "/hosted/pas_hl_nothing",
    start,
    `${start}/questions/1`,
    `${start}/review`,
    `${start}/onward`,
    "/problems/not_found",
    "/docs",
    "/openapi.json",
    "/.well-known/jwks.json",
    "/readyz",
    "/nowhere",
  ];
  const oauth = ["/oauth/token", "/oauth/revoke"];
  const forms = [`${start}/questions/1`, `${start}/finish`];
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const texts = [
    ...worstTexts(maxUnknownMessageBytes - 200),
    ...worstTexts(maxUnknownMessageBytes - 200, [`csrfToken=${browserSession.csrfToken}&`, "&go=next"]),
    ...worstTexts(maxUnknownMessageBytes - 200, [
      "grant_type=client_credentials&client_id=a&client_secret=",
      "&scope=a",
    ]),
  ];
  return (["known", "unknown"] as const).flatMap((caller) => {
    const own: Record<string, string> = caller === "known" ? { cookie: browserSession.cookie } : {};
    return [
      ...pages.flatMap((path, index) => {
        const request = { method: "GET", path, headers: own };
        return [...withWorstHeaders(request, seed + 100 + index), ...withWorstPaths(request)].map(
          input(transport, caller, path),
        );
      }),
      // Whoever asks for a token is not known yet.
      ...[...forms, ...(caller === "unknown" ? oauth : [])].flatMap((path) =>
        texts
          .map(([kind, text]): [string, WorstRequest] => [
            `a form of ${kind}`,
            { method: "POST", path, headers: { ...own, ...type }, body: () => Buffer.from(text) },
          ])
          .map(input(transport, caller, path)),
      ),
    ];
  });
}

const nameOf = ({ operation, caller, kind, transport }: Input) =>
  `${operation} by ${caller === "known" ? "a known caller" : "nobody known"}, ${kind}, over ${transport}`;

const unauthenticated = new Set([401, Code.Unauthenticated]);

/** Sends the input and tells how long that held a loop, in milliseconds of processor time. */
async function holdOf(each: Input): Promise<number> {
  await holds.longestMs();
  const status = await senders[each.transport]?.(each);
  // Else the limits of unknown callers would be what is looked at.
  if (each.caller === "known" && unauthenticated.has(status ?? 0)) throw new Error(`was not known: ${nameOf(each)}`);
  return holds.longestMs();
}

/** Inputs whose median of three holds is over the limit, with that median. */
async function slow(inputs: readonly Input[]): Promise<string[]> {
  const calls: string[] = [];
  for (const each of inputs) {
    const limit = limits[each.caller] * headRoom;
    const first = await holdOf(each);
    if (first <= limit) continue;
    const [, median = first] = [first, await holdOf(each), await holdOf(each)].toSorted((a, b) => a - b);
    if (median > limit) calls.push(`${median.toFixed(1)} ms: ${nameOf(each)}`);
  }
  return calls;
}

const gatewayTransport = "HTTP through a gateway of its own";

test.each([
  ["REST", () => restInputs("HTTP")],
  ["REST through a gateway of its own", () => restInputs(gatewayTransport)],
  ["gRPC, Connect and gRPC-Web", rpcInputs],
  ["pages, forms and documents", () => otherInputs("HTTP")],
  ["pages, forms and documents of a gateway of its own", () => otherInputs(gatewayTransport)],
])("nothing that is sent to %s holds an event loop for long", async (_name, inputs) => {
  const all = inputs();
  expect(await slow(inExtent(all, oneOfEachKind(all)))).toEqual([]);
  await playFriend(service);
});
