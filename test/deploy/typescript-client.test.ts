// The client of clients/typescript, as its package is made, against a service that runs.
import { resolve } from "node:path";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import type { WebhookService } from "../../src/gen/assessment/v1/webhook_service_pb.ts";
import { RetryInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";
import { countOf } from "../support/databases/stores.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";

const product = "values-bridge";

interface PartnerClient {
  readonly sessions: Client<typeof SessionService>;
  readonly webhooks: Client<typeof WebhookService>;
}

interface Options {
  readonly now?: () => number;
  readonly random?: () => number;
  readonly wait?: (ms: number) => Promise<void>;
  readonly fetch?: typeof fetch;
  readonly maxAttempts?: number;
}

/** What is used of the package, whose types are there when it is made. */
interface Package {
  createPartnerClient(options: Options & { baseUrl: string; clientId: string; clientSecret: string }): PartnerClient;
  pages<Request, Response>(call: (request: Request) => Promise<Response>, request: Request): AsyncIterable<Response>;
  verifyWebhook(secret: string, headers: object, body: string): { type: string; data: { sessionId?: string } };
}

let made: Package;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const load = (name: string) => import(resolve(`clients/typescript/dist/src/${name}.js`));
  made = { ...(await load("client")), ...(await load("pages")), ...(await load("webhooks")) };
});
afterAll(() => app.stop());

/** A client of a new partner, and the requests that it sent: the rpc, and the token. */
async function newClient({ fetch: send = fetch, ...options }: Options = {}, service = app) {
  const { credentials } = await addCaller(service);
  const sent: { rpc: string; token: string }[] = [];
  const recording: typeof fetch = (url, init) => {
    const token = new Headers(init?.headers).get("authorization")?.replace("Bearer ", "") ?? "";
    sent.push({ rpc: String(url).replace(/^.*\//, ""), token });
    return send(url, init);
  };
  const client = made.createPartnerClient({ ...options, ...credentials, baseUrl: service.httpUrl, fetch: recording });
  return {
    ...client,
    credentials,
    rpcs: () => sent.map(({ rpc }) => rpc),
    tokens: () => sent.map(({ token }) => token),
  };
}

const sessionsNow = () => countOf(app.database.connection, "SELECT COUNT(*) FROM sessions");

test("an assessment is played with one token, and its webhook is verified, unless its body is another", async () => {
  const { sessions, webhooks, rpcs } = await newClient();
  const receiver = await startReceiver();
  const { secret } = await webhooks.createWebhookEndpoint({ url: receiver.url, types: ["session.completed"] });
  const { sessionId, variant } = await sessions.createSession({ product, subject: { externalId: "user-1" } });
  const questions = (variant.case === "headless" && variant.value.assessment?.questions) || [];
  const answers = questions.map(({ id, type }) => ({ questionId: id, response: { type, value: 1 + (id % 7) } }));
  await sessions.recordAnswers({ product, sessionId, answers });
  await sessions.completeSession({ product, sessionId, requireAnswered: true });
  const { results } = await sessions.getSessionResults({ product, sessionId });
  expect(results?.overall?.archetypeId).toBe(4);
  expect(rpcs().filter((rpc) => rpc === "IssueToken")).toEqual(["IssueToken"]);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [received] = receiver.received;
  if (received === undefined) throw new Error("nothing came");
  const { headers, body } = received;
  expect(made.verifyWebhook(secret, headers, body)).toMatchObject({ type: "session.completed", data: { sessionId } });
  expect(() => made.verifyWebhook(secret, headers, body.replace("completed", "scored"))).toThrow(
    "No matching signature",
  );
});

test("a list is read page by page, each session once", async () => {
  const { sessions } = await newClient();
  const ids = new Set<string>();
  for (let count = 0; count < 5; count++) ids.add((await sessions.createSession({ product })).sessionId);
  const listed: string[][] = [];
  for await (const page of made.pages(sessions.listSessions, { product, pageSize: 2 })) {
    listed.push(page.sessions.map(({ sessionId }) => sessionId));
  }
  expect(listed.length).toBeGreaterThan(2);
  expect(listed.flat().toSorted()).toEqual([...ids].toSorted());
});

test("a token is renewed a minute before it expires, and once for all calls of that time", async () => {
  let now = Date.now();
  const { sessions, rpcs } = await newClient({ now: () => now });
  await sessions.listSessions({ product });
  now += 58 * 60_000;
  await sessions.listSessions({ product });
  now += 61_000;
  await Promise.all([sessions.listSessions({ product }), sessions.listSessions({ product })]);
  expect(rpcs()).toEqual(["IssueToken", "ListSessions", "ListSessions", "IssueToken", "ListSessions", "ListSessions"]);
});

test("a token that the service refuses is renewed, and the call made again, once", async () => {
  const { sessions, credentials, rpcs, tokens } = await newClient();
  await sessions.listSessions({ product });
  const [, token = ""] = tokens();
  const { clientId, clientSecret } = credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, token });
  expect((await fetch(`${app.httpUrl}/oauth/revoke`, { method: "POST", body })).status).toBe(200);
  await sessions.listSessions({ product });
  expect(rpcs()).toEqual(["IssueToken", "ListSessions", "ListSessions", "IssueToken", "ListSessions"]);
});

test("credentials that are wrong fail the call after one attempt", async () => {
  const { credentials } = await newClient();
  let count = 0;
  const counting: typeof fetch = (url, init) => {
    count++;
    return fetch(url, init);
  };
  const options = { ...credentials, clientSecret: "nonsense", baseUrl: app.httpUrl, fetch: counting };
  const { sessions } = made.createPartnerClient(options);
  await expect(sessions.listSessions({ product })).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(count).toBe(1);
});

test("a session whose response is lost is made once, and the same request again makes another", async () => {
  const waits: number[] = [];
  let isLost = true;
  const losing: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (!String(url).endsWith("CreateSession") || !isLost) return response;
    isLost = false;
    throw new TypeError("fetch failed");
  };
  const wait = async (ms: number) => void waits.push(ms);
  const { sessions } = await newClient({ fetch: losing, wait, random: () => 0.5 });
  const before = await sessionsNow();
  const request = { product, subject: { externalId: "user-1" } };
  expect((await sessions.createSession(request)).replayed).toBe(true);
  expect(waits).toEqual([1250]);
  expect(await sessionsNow()).toBe(before + 1);
  expect((await sessions.createSession(request)).replayed).toBe(false);
  expect(await sessionsNow()).toBe(before + 2);
});

test("a proxy that says when to come back is asked then, and four times at most", async () => {
  const waits: number[] = [];
  const busy: typeof fetch = async () => new Response("busy", { status: 503, headers: { "retry-after": "3" } });
  const wait = async (ms: number) => void waits.push(ms);
  const { sessions, rpcs } = await newClient({ fetch: busy, wait, random: () => 0 });
  await expect(sessions.listSessions({ product })).rejects.toMatchObject({ code: Code.Unavailable });
  expect(waits).toEqual([3000, 3000, 3000]);
  expect(rpcs()).toEqual(Array(4).fill("IssueToken"));
});

test("a call beyond the rate limit is repeated after the time that the service asks for", async () => {
  const limited = await startTestApp({ RATE_LIMIT_PER_MINUTE: "1", RATE_LIMIT_BURST: "1" });
  onTestFinished(() => limited.stop());
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const { sessions } = await newClient({ wait, random: () => 0, maxAttempts: 2 }, limited);
  await sessions.listSessions({ product });
  const error = await sessions.listSessions({ product }).catch((thrown: unknown) => ConnectError.from(thrown));
  if (!(error instanceof ConnectError)) throw new Error("the limit was not reached");
  const asked = Number(error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds);
  expect(error.code).toBe(Code.ResourceExhausted);
  // A second may have begun in between.
  expect([[asked * 1000], [(asked + 1) * 1000]]).toContainEqual(waits);
});

test("a message that is too large is sent once", async () => {
  const { sessions, rpcs } = await newClient();
  const large = sessions.createSession({ product, metadata: { text: "x".repeat(2 << 20) } });
  await expect(large).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(rpcs()).toEqual(["IssueToken", "CreateSession"]);
});

test("the secret of an endpoint is replaced once, even if the response is lost", async () => {
  const losing: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (String(url).endsWith("RotateWebhookSecret")) throw new TypeError("fetch failed");
    return response;
  };
  const { webhooks, rpcs } = await newClient({ fetch: losing });
  const { endpoint } = await webhooks.createWebhookEndpoint({
    url: "http://127.0.0.1:9/",
    types: ["session.completed"],
  });
  const rotated = webhooks.rotateWebhookSecret({ endpointId: endpoint?.endpointId ?? "" });
  await expect(rotated).rejects.toMatchObject({ code: Code.Unavailable });
  expect(rpcs().filter((rpc) => rpc === "RotateWebhookSecret").length).toBe(1);
});
