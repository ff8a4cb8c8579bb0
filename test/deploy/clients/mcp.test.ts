// The MCP server of mcp/, asked by the client of the protocol's own project, in front of a service that runs.
import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { errorRows } from "../../../src/kernel/errors/error-table.ts";
import { addCaller } from "../../support/app.ts";
import { countOf } from "../../support/databases/stores.ts";
import { folderOfFile } from "../../support/folders.ts";
import { appOfFile } from "../../support/of-file.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";

const run = promisify(execFile);
const modules = resolve("mcp/node_modules/@modelcontextprotocol/client/dist");

/** What is used of the client, whose package is installed beside the server only. */
interface Client {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: object): Promise<{ readonly content: unknown; readonly isError?: boolean }>;
  close(): Promise<void>;
}

const clients: Client[] = [];
await run("npm", ["ci", "--ignore-scripts"], { cwd: "mcp" });
const app = await appOfFile();
const { credentials, token } = await addCaller(app);
const folder = folderOfFile();
await writeFile(join(folder, "demo.json"), JSON.stringify({ url: app.httpUrl, ...credentials }));
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const main = "mcp/start.js";

/** A client of a server that was started with these options. */
function connect(...options: string[]): Promise<Client> {
  return connectBy([], ...options);
}

/** The same, with options of Node. */
async function connectBy(ofNode: readonly string[], ...options: string[]): Promise<Client> {
  const { Client } = await import(join(modules, "index.mjs"));
  const { StdioClientTransport } = await import(join(modules, "stdio.mjs"));
  const client: Client = new Client({ name: "test", version: "1" });
  const args = [...ofNode, main, "--credentials", join(folder, "demo.json"), ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  clients.push(client);
  return client;
}

interface Said {
  readonly isError: boolean;
  readonly text: string;
}

async function call(client: Client, name: string, input: Record<string, unknown>): Promise<Said> {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return { isError: isError === true, text: first?.text ?? "" };
}

const ids = Array.from({ length: 152 }, (_, index) => 1001 + index);

/** Completes a session as the person's own device would, past the tools. */
async function complete(sessionId: string): Promise<unknown> {
  const answers = ids.map((questionId) => ({ questionId, response: { type: "likert", value: 1 + (questionId % 7) } }));
  const response = await fetch(`${app.httpUrl}/v1/values-bridge/sessions/${sessionId}/complete`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ answers }),
  });
  return ((await response.json()) as { results: unknown }).results;
}

test("the types of the MCP package compile", async () => {
  await expect(run("tsc", ["--noEmit", "-p", "mcp"])).resolves.toMatchObject({ stdout: "" });
});

const versions = "{ value: { ...process.versions, node: '20.9.0' } }";
const older = ["--import", `data:text/javascript,Object.defineProperty(process, "versions", ${versions})`];

test("the MCP server is started by the Node that npm ci brings", async () => {
  const client = await connectBy(older);
  expect((await client.listTools()).tools.length).toBeGreaterThan(3);
});

test("the MCP server says in a line what to do where no newer Node is found", async () => {
  const elsewhere = join(folder, "elsewhere", "mcp");
  await mkdir(elsewhere, { recursive: true });
  for (const name of ["start.js", "package.json"]) await copyFile(join("mcp", name), join(elsewhere, name));
  await expect(run(process.execPath, [...older, join(elsewhere, "start.js")])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^pas-mcp: Node 24\.12\.0 or newer is needed, this is 20\.9\.0; `npm ci` .*\n$/),
  });
});

test("results can only be asked for if the command line allows it", async () => {
  const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  const usual = ["create_session", "get_status", "score_offline", "explain_problem"];
  expect((await names(await connect())).toSorted()).toEqual(usual.toSorted());
  expect((await names(await connect("--allow-results"))).toSorted()).toEqual([...usual, "explain_result"].toSorted());
});

test("an assistant creates a session, and explains its results once it is answered elsewhere", async () => {
  const client = await connect("--allow-results");
  const session = JSON.parse((await call(client, "create_session", { externalId: "user-1" })).text);
  expect(session).toMatchObject({ mode: "headless", subject: { externalId: "user-1" }, questions: 152 });
  const { sessionId } = session;
  expect(JSON.parse((await call(client, "get_status", { sessionId })).text)).toMatchObject({ completedAt: null });
  expect(await call(client, "explain_result", { sessionId })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^404 not_found: /),
  });
  const results = await complete(sessionId);
  const explanation = JSON.parse((await call(client, "explain_result", { sessionId })).text);
  expect(explanation.results).toEqual(results);
  expect(explanation).toHaveProperty("explanation");
});

test("a session whose response is lost is created once", async () => {
  let isLost = false;
  const proxy = createServer(async (incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    const names = ["authorization", "content-type", "idempotency-key"];
    const requestHeaders = new Headers(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
    const body = method === "POST" ? Buffer.concat(await Array.fromAsync(incoming)) : null;
    const answer = await fetch(app.httpUrl + url, { method, headers: requestHeaders, body });
    const text = await answer.text();
    if (url.endsWith("/sessions") && !isLost) {
      isLost = true;
      response.destroy();
    } else response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  });
  const port = await listenOnLoopback(proxy);
  onTestFinished(() => void proxy.close());
  const file = join(folder, "losing.json");
  await writeFile(file, JSON.stringify({ url: `http://127.0.0.1:${port}`, ...credentials }));
  const sessionsNow = () => countOf(app.database.connection, "SELECT COUNT(*) FROM sessions");
  const before = await sessionsNow();
  const client = await connect("--credentials", file);
  expect(await call(client, "create_session", {})).toMatchObject({ isError: false });
  expect([isLost, await sessionsNow()]).toEqual([true, before + 1]);
});

test("a hosted session comes with the address to send the person to", async () => {
  const client = await connect();
  const { text } = await call(client, "create_session", { redirectUrl: "https://partner.example/done" });
  expect(JSON.parse(text).hostedUrl).toContain(`${app.httpUrl}/hosted/`);
});

test("an assistant sees a refusal of the service in the service's words", async () => {
  const client = await connect();
  expect(await call(client, "create_session", { externalId: "anon_x" })).toEqual({
    isError: true,
    text: expect.stringMatching(/^422 invalid_request: .*#\/subject\/externalId: /),
  });
  const { isError } = await call(client, "get_status", { sessionId: "nonsense" });
  expect(isError).toBe(true);
});

test("answers are scored as the service scores them, without it", async () => {
  const client = await connect();
  const { sessionId } = JSON.parse((await call(client, "create_session", {})).text);
  const answers = ids.map((questionId) => ({ questionId, value: 1 + (questionId % 7) }));
  const scored = await call(client, "score_offline", { answers });
  expect(JSON.parse(scored.text)).toEqual(await complete(sessionId));
  const wrong = await call(client, "score_offline", { answers: [{ questionId: 9, value: 1 }] });
  expect(wrong).toEqual({ isError: true, text: expect.stringContaining("pas: ") });
});

test("every error is explained", async () => {
  const client = await connect();
  for (const { code, remedy } of errorRows) {
    const { text } = await call(client, "explain_problem", { code });
    expect(JSON.parse(text).whatToDo).toBe(remedy);
  }
  expect(await call(client, "explain_problem", { code: "constructor" })).toEqual({
    isError: true,
    text: expect.stringContaining("Known are malformed_request"),
  });
});

test("a token that the service no longer knows is replaced", async () => {
  const tokens: string[] = [];
  const forgetful = createServer(async ({ method = "", url = "", headers }, response) => {
    const { authorization = "" } = headers;
    if (url === "/oauth/token") tokens.push(`Bearer ${tokens.length}`);
    const isKnown = authorization === tokens[1];
    const grant = { access_token: String(tokens.length - 1), expires_in: 3600 };
    response.writeHead(url === "/oauth/token" || isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(url === "/oauth/token" ? grant : { method, code: "unauthenticated" }));
  });
  const port = await listenOnLoopback(forgetful);
  onTestFinished(() => void forgetful.close());
  await writeFile(join(folder, "forgetful.json"), JSON.stringify({ url: `http://127.0.0.1:${port}`, ...credentials }));
  const other = await connect("--credentials", join(folder, "forgetful.json"));
  const { isError } = await call(other, "get_status", { sessionId: "01a202c6-b3c7-73c8-a6fe-f69fd65c0666" });
  expect([isError, tokens.length]).toEqual([false, 2]);
});

test("the MCP server calls a remote service only if it is told to, with credentials of its own", async () => {
  const start = (options: string[], env: Record<string, string>) =>
    run(process.execPath, [main, "--credentials", join(folder, "demo.json"), ...options], {
      env: { ...process.env, ...env },
    });
  await expect(start([], { PAS_URL: "https://assess.example" })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^pas-mcp: https:\/\/assess.example is not on this machine: add --live/),
  });
  await expect(start(["--live"], { PAS_URL: "https://assess.example" })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^pas-mcp: --live needs PAS_URL, PAS_CLIENT_ID and PAS_CLIENT_SECRET/),
  });
  const own = { PAS_CLIENT_ID: "a", PAS_CLIENT_SECRET: "b" };
  for (const url of ["http://assess.example", "http://127.0.0.1.example", "ftp://assess.example"]) {
    await expect(start(["--live"], { ...own, PAS_URL: url })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^pas-mcp: .* is neither https:\/\/ nor on this machine/),
    });
  }
});
