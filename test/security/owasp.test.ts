// The OWASP API Security Top 10 of 2023, item by item. Each is tested where it can be broken for all operations at
// once, so that what is added later is covered as well; the cases of the contract (test/e2e/cases) go into the details.
import { createServer } from "node:http";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { internalScopes } from "../../src/domain/identity/scopes.ts";
import { SubjectService } from "../../src/gen/assessment/v1/subject_service_pb.ts";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { isBrowserScope } from "../../src/kernel/calls/core.ts";
import { readRequiredScope } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/kernel/services.ts";
import { startGatewayApp } from "../../src/process/gateway-app.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { addCaller } from "../support/app.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { appOfFile, clientOfFile } from "../support/of-file.ts";
import { appOfTest } from "../support/of-test.ts";
import { listenOnLoopback } from "../support/processes/loopback.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";
import { behaviours, secretWords, startHostileCore } from "../support/transports/wire/hostile-core.ts";

const methods = services.flatMap((service) => service.methods) as DescMethodUnary[];
/** Whether a call is made without a token of a partner. */
function isOpen(method: DescMethodUnary): boolean {
  const scope = readRequiredScope(method);
  return scope === "none" || isBrowserScope(scope);
}

const withToken = methods.filter((method) => !isOpen(method));
const sessions = "/v1/values-bridge/sessions";

const app = await appOfFile();
const grpc = clientOfFile(app);
const alice = await addCaller(app);
const bob = await addCaller(app);

function send(token: string | undefined, method: string, path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (body === undefined) return fetch(app.httpUrl + path, { method, headers });
  headers["content-type"] = "application/json";
  return fetch(app.httpUrl + path, { method, headers, body: JSON.stringify(body) });
}

/** The status of a call over gRPC; undefined for success. */
async function statusOf(method: DescMethodUnary, message: Record<string, unknown>, metadata: Record<string, string>) {
  try {
    await grpc.unary(method, message, { metadata });
    return undefined;
  } catch (error) {
    return ConnectError.from(error).code;
  }
}

// API1, broken object level authorization, for every operation and transport: test/e2e/cases/access.ts.

// A token that is expired, revoked or of a disabled client: test/e2e/operation/clock-steps.test.ts, test/gateway/oauth.test.ts,
// test/faults/runbook/secrets.test.ts. Scopes of operators, which no partner's client gets: test/cli/service.test.ts.
describe("API2 broken authentication", () => {
  test.each(withToken.map((method) => [`${method.parent.name}/${method.name}`, method] as const))(
    "%s requires a valid token",
    async (_name, method) => {
      const bad = ["", "Bearer", "Bearer nonsense", `Basic ${btoa("a:b")}`, alice.token, `Bearer ${bob.token}x`];
      for (const authorization of bad) {
        const metadata: Record<string, string> = authorization === "" ? {} : { authorization };
        expect([authorization, await statusOf(method, {}, metadata)]).toEqual([authorization, Code.Unauthenticated]);
      }
    },
  );

  test("guessing the token of a gateway is slowed down like guessing any other", async () => {
    const limited = await appOfTest({ ADDRESS_RATE_LIMIT_PER_MINUTE: "3" });
    using client = new GrpcClient(limited.grpcAddress);
    const rpc = SubjectService.method.getLatestResults;
    const { token } = await addCaller(limited);
    const reasons: (string | undefined)[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      const metadata = { authorization: `Bearer ${token}`, "gateway-authorization": `Bearer guess-${guess}` };
      const error = ConnectError.from(await client.unary(rpc, {}, { metadata }).catch((thrown: unknown) => thrown));
      reasons.push(error.findDetails(ErrorInfoSchema)[0]?.reason);
    }
    expect(reasons).toEqual([...Array(3).fill("GATEWAY_UNAUTHENTICATED"), ...Array(3).fill("RATE_LIMITED")]);
  });
});

describe("API3 broken object property level authorization", () => {
  test("a request cannot set fields that the service sets", async () => {
    const decided = ["id", "sessionId", "partnerId", "status", "results", "completedAt", "assessmentId", "answers"];
    for (const name of decided) {
      const refused = await send(alice.token, "POST", sessions, { [name]: "x" });
      const problem = await refused.json();
      expect(problem).toMatchObject({ status: 422, errors: [{ pointer: `#/${name}`, code: "unknown_member" }] });
    }
    const id = crypto.randomUUID();
    const created = await send(alice.token, "POST", sessions, { subject: { id, anonymous: false, partnerId: id } });
    const { subject } = (await created.json()) as { subject: { id: string; anonymous: boolean } };
    expect(subject).toEqual({ id: expect.not.stringContaining(id), externalId: expect.any(String), anonymous: true });
  });
});

// API4, unrestricted resource consumption: test/e2e/limits.test.ts and the rest of this folder.

describe("API5 broken function level authorization", () => {
  const forOperators = methods.filter((method) =>
    (internalScopes as readonly string[]).includes(readRequiredScope(method)),
  );

  test.each(forOperators.map((method) => [`${method.parent.name}/${method.name}`, method] as const))(
    "a partner cannot call %s on any transport",
    async (_name, method) => {
      const authorization = `Bearer ${alice.token}`;
      expect(await statusOf(method, {}, { authorization })).toBe(Code.PermissionDenied);
      const path = `/${method.parent.typeName}/${method.name}`;
      expect((await send(alice.token, "POST", path, {})).status).toBe(403);
    },
  );
});

describe("API6 unrestricted access to sensitive business flows", () => {
  test("a hosted session has at most ten live links, however often its creation is repeated", async () => {
    const headers = {
      authorization: `Bearer ${alice.token}`,
      "content-type": "application/json",
      "idempotency-key": "k",
    };
    const body = JSON.stringify({ mode: "hosted", redirectUrl: "https://partner.example/done" });
    const links: string[] = [];
    for (let time = 0; time < 12; time += 1) {
      const created = await fetch(app.httpUrl + sessions, { method: "POST", headers, body });
      links.push(((await created.json()) as { hostedUrl: string }).hostedUrl);
    }
    const opened = await Promise.all(links.map((link) => fetch(link, { redirect: "manual" })));
    expect(opened.filter(({ status }) => status === 303)).toHaveLength(10);
  });
});

describe("API7 server side request forgery", () => {
  test("the service sends no request to an address that a caller names", async () => {
    const urls: string[] = [];
    const elsewhere = createServer((request, response) => {
      urls.push(request.url ?? "");
      response.end();
    });
    elsewhere.on("connection", () => urls.push("a connection"));
    const url = `http://127.0.0.1:${await listenOnLoopback(elsewhere)}`;
    onTestFinished(() => void elsewhere.close());
    const partner = await addHostedPartner(app);
    await partner.brand({ logoUrl: `https://127.0.0.1:${new URL(url).port}/logo.png`, displayName: "P" });
    const { sessionId: id, hostedUrl } = await partner.createHosted({ redirectUrl: `${url}/done` });
    const visitor = new Visitor(app.httpUrl);
    const start = await visitor.open(hostedUrl);
    await visitor.get(start);
    await partner.complete(id, new Map([[1001, 4]]));
    const page = await visitor.get(`${start}/onward`);
    expect(page.headers.get("location")).toContain(`${url}/done`);
    expect(urls).toEqual([]);
  });
});

describe("API8 security misconfiguration", () => {
  const answers = [
    ["a success", "GET", "/v1/values-bridge/assessment"],
    ["a refusal", "GET", "/v1/values-bridge/sessions/x"],
    ["an unknown address", "GET", "/nowhere"],
    ["an unknown method", "PROPFIND", "/v1/values-bridge/assessment"],
    ["an address that cannot be read", "GET", "/v1/%zz"],
    ["health", "GET", "/livez"],
    ["the document", "GET", "/openapi.json"],
    ["a preflight", "OPTIONS", sessions],
  ] as const;

  test.each(answers)(
    "%s says what it is, not who serves it, and lets no other site read it",
    async (_name, method, path) => {
      const headers = { authorization: `Bearer ${alice.token}`, origin: "https://evil.example" };
      const response = await fetch(app.httpUrl + path, { method, headers });
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      for (const name of [
        "server",
        "x-powered-by",
        "access-control-allow-origin",
        "access-control-allow-credentials",
      ]) {
        expect([name, response.headers.get(name)]).toEqual([name, null]);
      }
      const body = await response.text();
      expect(body).not.toMatch(/node_modules|\.ts:\d+|\n\s+at /);
      if (response.status >= 400) expect(response.headers.get("cache-control")).toBe("no-store");
    },
  );

  test("the defaults are closed: it listens on loopback, trusts no proxy, and serves metrics to loopback only", () => {
    const config = readConfig({});
    expect(config).toMatchObject({ HOST: "127.0.0.1", TRUSTED_PROXIES: [], METRICS_TOKEN: undefined });
    expect(config.RATE_LIMIT_PER_MINUTE * config.ADDRESS_RATE_LIMIT_PER_MINUTE).toBeGreaterThan(0);
    expect(config.TOKEN_RATE_LIMIT_PER_MINUTE * config.HOSTED_RATE_LIMIT_PER_MINUTE).toBeGreaterThan(0);
  });
});

describe("API9 improper inventory management", () => {
  test("only the public operations respond without a token", async () => {
    const open = methods.filter(isOpen);
    expect(open.map(({ name }) => name).toSorted()).toEqual([
      "ContinueHostedSession",
      "ExchangeLink",
      "ExchangeReportLink",
      "FinishHostedSession",
      "GetHostedSession",
      "GetPublicKeys",
      "IssueToken",
      "JoinGroup",
      "OpenCard",
      "OpenJoinCode",
      "OpenOwnReport",
      "RenderOwnReport",
      "RevokeToken",
      "SaveHostedAnswers",
      "SetOwnIntention",
      "ShareOwnCard",
    ]);
  });
});

describe("API10 unsafe consumption of APIs", () => {
  test.each(Object.entries(behaviours))(
    "a core that answers %s gets a response in the service's own words",
    async (_name, behave) => {
      const { core, gatewayUrl, lines } = await startBeforeHostileCore();
      core.become(behave);
      for (const path of ["/v1/values-bridge/assessment", "/hosted/x", "/readyz"]) {
        const response = await fetch(gatewayUrl + path, { headers: { authorization: "Bearer x" } });
        const text = (await response.text()) + JSON.stringify([...response.headers]);
        expect([path, response.status >= 400]).toEqual([path, true]);
        for (const word of [secretWords, encodeURI(secretWords), "10.0.0.7"]) expect(text).not.toContain(word);
      }
      expect(lines.join("")).not.toContain("10.0.0.7");
      expect((await fetch(`${gatewayUrl}/livez`)).status).toBe(200);
    },
  );

  test("a core that sends GOAWAY on an idle connection does not end the gateway", async () => {
    const { core, gatewayUrl } = await startBeforeHostileCore();
    await fetch(`${gatewayUrl}/readyz`);
    core.goAway();
    expect((await fetch(`${gatewayUrl}/readyz`)).status).toBe(503);
    expect((await fetch(`${gatewayUrl}/livez`)).status).toBe(200);
  });
});

async function startBeforeHostileCore() {
  const core = await startHostileCore();
  const lines: string[] = [];
  const log = createLogger("trace", { write: (line) => lines.push(line) });
  const client = { clientId: crypto.randomUUID(), clientSecret: "x" };
  const gateway = await startGatewayApp({
    config: readConfig({ HTTP_PORT: "0" }),
    core: { url: core.url, ...client },
    log,
  });
  onTestFinished(async () => {
    await gateway.stop();
    await core.stop();
  });
  return { core, gatewayUrl: gateway.httpUrl, lines };
}
