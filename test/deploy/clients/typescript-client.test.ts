// The client of clients/typescript, as its package is made, against a service that runs.
import { execFile } from "node:child_process";
import { copyFile, glob, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import type { EventService } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import type { GroupService } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import type { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import type { WebhookService } from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import { RetryInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";
import { typescriptPackage } from "../../../tools/releases/client-packages.ts";
import { addCaller } from "../../support/app.ts";
import { countOf } from "../../support/databases/stores.ts";
import { folderOfTest } from "../../support/folders.ts";
import { appOfFile } from "../../support/of-file.ts";
import { appOfTest } from "../../support/of-test.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

const product = "values-bridge";

interface PartnerClient {
  readonly events: Client<typeof EventService>;
  readonly groups: Client<typeof GroupService>;
  readonly sessions: Client<typeof SessionService>;
  readonly webhooks: Client<typeof WebhookService>;
}

interface Options {
  readonly now?: () => number;
  readonly random?: () => number;
  readonly wait?: (ms: number) => Promise<void>;
  readonly fetch?: typeof fetch;
  readonly maxAttempts?: number;
  readonly timeoutMs?: number;
}

/** What is used of the package, whose types are there when it is made. */
interface Package {
  createPartnerClient(options: Options & { baseUrl: string; clientId: string; clientSecret: string }): PartnerClient;
  pages<Request, Response>(call: (request: Request) => Promise<Response>, request: Request): AsyncIterable<Response>;
  verifyWebhook(secret: string, headers: object, body: string): { type: string; data: { sessionId?: string } };
}

const app = await appOfFile();
const load = (name: string) => import(resolve(`clients/typescript/dist/src/${name}.js`));
const clientPackage: Package = { ...(await load("client")), ...(await load("pages")), ...(await load("webhooks")) };

/** A client of a new partner, and the requests that it sent: the rpc, and the token. */
async function newClient({ fetch: send = fetch, ...options }: Options = {}, service = app) {
  const { credentials } = await addCaller(service);
  const requests: { rpc: string; token: string }[] = [];
  const recording: typeof fetch = (url, init) => {
    const token = new Headers(init?.headers).get("authorization")?.replace("Bearer ", "") ?? "";
    requests.push({ rpc: String(url).replace(/^.*\//, ""), token });
    return send(url, init);
  };
  const client = clientPackage.createPartnerClient({
    ...options,
    ...credentials,
    baseUrl: service.httpUrl,
    fetch: recording,
  });
  return {
    ...client,
    credentials,
    rpcs: () => requests.map(({ rpc }) => rpc),
    tokens: () => requests.map(({ token }) => token),
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
  expect(clientPackage.verifyWebhook(secret, headers, body)).toMatchObject({
    type: "session.completed",
    data: { sessionId },
  });
  expect(() => clientPackage.verifyWebhook(secret, headers, body.replace("completed", "scored"))).toThrow(
    "No matching signature",
  );
});

test("a list is read page by page, each session once", async () => {
  const { sessions } = await newClient();
  const ids = new Set<string>();
  for (let count = 0; count < 5; count++) ids.add((await sessions.createSession({ product })).sessionId);
  const pageIds: string[][] = [];
  for await (const page of clientPackage.pages(sessions.listSessions, { product, pageSize: 2 })) {
    pageIds.push(page.sessions.map(({ sessionId }) => sessionId));
  }
  expect(pageIds.length).toBeGreaterThan(2);
  expect(pageIds.flat().toSorted()).toEqual([...ids].toSorted());
});

test("the feed of events is read to its end, each event once", async () => {
  const { sessions, events } = await newClient();
  for (let count = 0; count < 3; count++) await sessions.createSession({ product });
  const inFeed = async () => (await events.listEvents({ waitSeconds: 20 })).events.map(({ id }) => id);
  await expect.poll(inFeed).toHaveLength(3);
  const read: string[] = [];
  for await (const page of clientPackage.pages(events.listEvents, { pageSize: 2 }))
    read.push(...page.events.map(({ id }) => id));
  expect(read).toEqual(await inFeed());
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
  const { sessions } = clientPackage.createPartnerClient(options);
  await expect(sessions.listSessions({ product })).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(count).toBe(1);
});

/** A `fetch` that loses the first response of an rpc. */
function losing(rpc: string): typeof fetch {
  let isLost = false;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (isLost || !String(url).endsWith(`/${rpc}`)) return response;
    isLost = true;
    throw new TypeError("fetch failed");
  };
}

test("a session whose response is lost is made once, and the same request again makes another", async () => {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const { sessions } = await newClient({ fetch: losing("CreateSession"), wait, random: () => 0.5 });
  const before = await sessionsNow();
  const request = { product, subject: { externalId: "user-1" } };
  expect((await sessions.createSession(request)).replayed).toBe(true);
  expect(waits).toEqual([1250]);
  expect(await sessionsNow()).toBe(before + 1);
  expect((await sessions.createSession(request)).replayed).toBe(false);
  expect(await sessionsNow()).toBe(before + 2);
});

test("a group whose response is lost is made once", async () => {
  const { groups, rpcs } = await newClient({ fetch: losing("CreateGroup"), wait: async () => undefined });
  await groups.createGroup({ product, label: "Team" });
  expect((await groups.listGroups({ product })).groups.map(({ label }) => label)).toEqual(["Team"]);
  expect(rpcs().filter((rpc) => rpc === "CreateGroup").length).toBe(2);
});

test("the reason of the last attempt is told, at once where the time of the call is over before the next one", async () => {
  const { credentials } = await addCaller(app);
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const options = { timeoutMs: 3_900, now: () => 0, random: () => 0, wait };
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const { sessions } = clientPackage.createPartnerClient({ ...credentials, ...options, baseUrl });
  const failure = sessions.listSessions({ product });
  await expect(failure).rejects.toMatchObject({
    code: Code.Unavailable,
    message: expect.stringMatching(/ECONNREFUSED/),
  });
  expect(waits).toEqual([1_000, 2_000]);
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
  const limited = await appOfTest({ RATE_LIMIT_PER_MINUTE: "1", RATE_LIMIT_BURST: "1" });
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const { sessions } = await newClient({ wait, random: () => 0, maxAttempts: 2, timeoutMs: 600_000 }, limited);
  await sessions.listSessions({ product });
  const error = await sessions.listSessions({ product }).catch((reason: unknown) => ConnectError.from(reason));
  if (!(error instanceof ConnectError)) throw new Error("the limit was not reached");
  const requestedSeconds = Number(error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds);
  expect(error.code).toBe(Code.ResourceExhausted);
  // The first refusal asks for as much, and for what has passed since.
  expect(waits).toEqual([expect.toSatisfy((ms) => ms >= requestedSeconds * 1_000 && ms <= 60_000)]);
});

test("a message that is too large is sent once", async () => {
  const { sessions, rpcs } = await newClient();
  const large = sessions.createSession({ product, metadata: { text: "x".repeat(2 << 20) } });
  await expect(large).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(rpcs()).toEqual(["IssueToken", "CreateSession"]);
});

test("an endpoint is created once, and its secret replaced once, even if the response is lost", async () => {
  const url = "http://127.0.0.1:9/";
  const types = ["session.completed"];
  const creating = await newClient({ fetch: losing("CreateWebhookEndpoint") });
  const creation = creating.webhooks.createWebhookEndpoint({ url, types });
  await expect(creation).rejects.toMatchObject({ code: Code.Unavailable });
  expect((await creating.webhooks.listWebhookEndpoints({})).endpoints.length).toBe(1);
  const { webhooks, rpcs } = await newClient({ fetch: losing("RotateWebhookSecret") });
  const { endpoint } = await webhooks.createWebhookEndpoint({ url, types });
  const rotation = webhooks.rotateWebhookSecret({ endpointId: endpoint?.endpointId ?? "" });
  await expect(rotation).rejects.toMatchObject({ code: Code.Unavailable });
  expect(rpcs().filter((rpc) => rpc === "RotateWebhookSecret").length).toBe(1);
});

test("the samples of the page of the client for TypeScript play a whole assessment and read its events", async () => {
  const run = promisify(execFile);
  const folder = folderOfTest();
  // The other tests have what it makes open: its build is the same.
  const [, pack = ""] = typescriptPackage(folder);
  await run("sh", ["-ec", `${pack} --ignore-scripts`]);
  const [archive = ""] = await Array.fromAsync(glob(join(folder, "*.tgz")));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", archive], { cwd: folder });
  const page = await readFile("clients/typescript/README.md", "utf8");
  const samples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  await writeFile(join(folder, "samples.ts"), samples.join("\n"));
  await copyFile("tsconfig.json", join(folder, "base.json"));
  const types = resolve("node_modules/@types");
  const options = { noEmit: true, lib: ["es2024", "dom"], typeRoots: [types], types: ["node"] };
  const configuration = { extends: "./base.json", compilerOptions: options, include: ["samples.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(configuration));
  await run("tsc", ["-p", folder]);
  const { clientId, clientSecret } = (await addCaller(app)).credentials;
  const env = { ...process.env, PAS_URL: app.httpUrl, PAS_CLIENT_ID: clientId, PAS_CLIENT_SECRET: clientSecret };
  const { stdout } = await run(process.execPath, [join(folder, "samples.ts")], { env });
  expect(stdout).toMatch(/^1 \w[\w ]+ [\d.]+\n2 .*\n3 .*\n/);
  expect(stdout).toMatch(/^\d+ session\.created$/m);
});
