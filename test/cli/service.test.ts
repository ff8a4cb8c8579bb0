// First contact: the service started as its users start it, on an embedded database, and the commands around it.
import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bodyOf, fullAnswers } from "../e2e/cases/case.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { fetchToken } from "../support/databases/partners.ts";
import { folderOfFile } from "../support/folders.ts";
import { pas, printedBy, type RunningCommand, startPas } from "../support/processes/command.ts";
import { runPas } from "../support/processes/program.ts";
import { restTransport } from "../support/transports/rest-transport.ts";

const folder = folderOfFile();
const environment = { DATA_DIR: join(folder, "data"), HTTP_PORT: "0", GRPC_PORT: "0" };
let service: RunningCommand;
let httpUrl: string;

async function start(): Promise<void> {
  service = startPas(["serve"], environment);
  const [, url = ""] = await service.wrote(/REST +(http:\S+)\/v1/);
  httpUrl = url;
  await service.wrote(/Stop with Ctrl-C/);
}

beforeAll(() => start());
afterAll(() => {
  service.kill("SIGTERM");
  return service.ended;
});

async function results<T>(...args: string[]): Promise<T[]> {
  const finished = await runPas(args, environment);
  if (finished.code !== 0) throw new Error(`exit code ${finished.code}: ${finished.stderr}`);
  return printedBy(finished);
}

async function result<T>(...args: string[]): Promise<T> {
  const [only, ...others] = await results<T>(...args);
  if (only === undefined || others.length > 0) throw new Error(`not one result: ${args.join(" ")}`);
  return only;
}

test.each(["bash", "sh"])("the command of the banner creates a session when it is pasted into %s", async (shell) => {
  const { stderr } = service.output();
  const command = stderr.slice(stderr.indexOf("  curl "), stderr.indexOf("Or see the results"));
  const { stdout } = await promisify(execFile)(shell, ["-c", command]);
  expect(stdout).toMatch(/^\{"sessionId":".*"questions":\[\{/);
});

test("the banner names the address of the documentation, which responds", async () => {
  const [, url = ""] = /docs +(http:\S+)/.exec(service.output().stderr) ?? [];
  expect((await fetch(url)).status).toBe(200);
});

test("the demo plays a whole assessment, shows its results, and leads to the person's report", async () => {
  // The port is one that nobody knows but the service.
  const { code, stdout, stderr } = await pas(["demo"], { DATA_DIR: join(folder, "data") });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("152 questions") });
  expect(stdout.split("\n").filter((line) => /^\S.* (core|guiding|situational|peripheral) /.test(line))).toHaveLength(
    19,
  );
  const [, archetype = "no archetype"] = /^Archetype +(Between .+)$/m.exec(stdout) ?? [];
  const [reportUrl = ""] = /http:\S+\/reports\/\S+$/.exec(stdout.trim()) ?? [];
  const visitor = new Visitor(httpUrl);
  const page = await visitor.get(await visitor.open(reportUrl));
  expect([page.status, page.text.includes("Your circle of values")]).toEqual([200, true]);
  expect(page.text).toContain(archetype);
});

test("the demo client's credentials are for their owner's eyes only", async () => {
  const { mode } = await stat(join(folder, "data", "demo-client.json"));
  expect((mode & 0o777).toString(8)).toBe("600");
});

test("the start makes a client of a test twin beside the live one, which may fill sessions with simulated people", async () => {
  const { test: twin, ...live } = JSON.parse(await readFile(join(folder, "data", "demo-client.json"), "utf8"));
  expect(twin.clientSecret).toMatch(/^pas_cs_test_/);
  const transport = restTransport(httpUrl);
  const autofill = async (client: { clientId: string; clientSecret: string }) => {
    const token = await fetchToken(httpUrl, client);
    const { sessionId } = bodyOf(await transport.createSession({ token }, {}));
    return transport.autofillSession({ token }, sessionId, { persona: "archetype-3" });
  };
  expect(bodyOf(await autofill(twin)).recorded).toBe(152);
  expect((await autofill(live)).ok).toBe(false);
});

test("a partner and a client made by commands can call the service, until the client is disabled", async () => {
  const { partnerId } = await result<{ partnerId: string }>("partner", "create", "--name", "Acme");
  const scopes = "sessions:write sessions:read";
  const client = await result<{ clientId: string; clientSecret: string }>(
    ...["client", "create", "--partner", partnerId, "--name", "Backend", "--scopes", scopes],
  );
  const token = await fetchToken(httpUrl, client);
  bodyOf(await restTransport(httpUrl).createSession({ token }, {}));
  const newCredentials = await result<{ clientId: string; clientSecret: string }>("client", "rotate", client.clientId);
  await fetchToken(httpUrl, newCredentials);
  await fetchToken(httpUrl, client);
  await result("client", "disable", client.clientId);
  await expect(fetchToken(httpUrl, newCredentials)).rejects.toThrow("invalid_client");
});

test("the commands list partners and clients, and show what they may do", async () => {
  const { partnerId } = await result<{ partnerId: string }>("partner", "create", "--name", "Acme", "--internal");
  const create = ["client", "create", "--partner", partnerId, "--name", "Backend", "--scopes", "admin results:read"];
  const { clientId } = await result<{ clientId: string }>(...create);
  await result("client", "rotate", clientId);
  const partner = { partnerId, name: "Acme", internal: true, createdAt: expect.any(String) };
  const client = {
    clientId,
    name: "Backend",
    scopes: ["admin", "results:read"],
    createdAt: expect.any(String),
    disabledAt: null,
    lastUsedAt: null,
    secretsCreatedAt: [expect.any(String), expect.any(String)],
  };
  expect(await results("partner", "list")).toEqual(expect.arrayContaining([partner]));
  expect(await results("client", "list", "--partner", partnerId)).toEqual([client]);
});

test("an unknown partner or client is reported, with the command that lists them", async () => {
  const findReason = async (...args: string[]) => {
    const { code, stdout, stderr } = await runPas(args, environment);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    return stderr;
  };
  const someone = crypto.randomUUID();
  const create = ["client", "create", "--partner", someone, "--name", "Backend", "--scopes", "results:read"];
  expect(await findReason(...create)).toContain("pas: there is no such partner; `pas partner list`");
  for (const words of [
    ["partner", "brand", "nonsense"],
    ["client", "list", "--partner", someone],
    ["partner", "brand", someone],
  ]) {
    expect(await findReason(...words)).toContain("there is no such partner");
  }
  expect(await findReason("client", "rotate", someone)).toContain("there is no such client");
  expect(await findReason("client", "disable", someone)).toContain("there is no such client");
});

test("a client that cannot be created gets a line for each fault, with its place", async () => {
  const { partnerId } = await result<{ partnerId: string }>("partner", "create", "--name", "Acme");
  const create = (scopes: string, name = "Backend") =>
    runPas(["client", "create", "--partner", partnerId, "--name", name, "--scopes", scopes], environment);
  expect(await create("sessions:read gateway results:raed")).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^pas: scopes\/1: Only clients of an internal partner .*\npas: scopes\/2: There is no such scope. There are: .*results:read.*\n$/,
    ),
  });
  expect(await create("sessions:read", " ")).toMatchObject({ code: 1, stderr: expect.stringContaining("visible") });
  const unnamed = await runPas(["partner", "create", "--name", "x".repeat(256)], environment);
  expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining("At most 255 characters") });
});

test("offline scoring, explanation and quality give the bytes of the service", async () => {
  const client = JSON.parse(await readFile(join(folder, "data", "demo-client.json"), "utf8"));
  const token = await fetchToken(httpUrl, client);
  const transport = restTransport(httpUrl);
  const { sessionId, assessment } = bodyOf(await transport.createSession({ token }, {}));
  if (assessment === undefined) throw new Error("no assessment");
  const answers = fullAnswers({ assessment }).filter((_, index) => index % 11 !== 0);
  bodyOf(await transport.completeSession({ token }, sessionId, { answers }));
  const read = async (query: string) => {
    const url = `${httpUrl}/v1/values-bridge/sessions/${sessionId}/results${query}`;
    return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text();
  };
  const answersFile = join(folder, "answers.json");
  await writeFile(answersFile, JSON.stringify({ answers }));
  const instrument = "src/products/values-bridge/definition/values-bridge.json";
  const score = ["score", "--assessment", instrument, "--answers", answersFile];
  const plain = await runPas(score, environment);
  expect(await read("")).toBe(`{"sessionId":"${sessionId}","results":${plain.stdout.trim()}}`);
  const explanation = await runPas([...score, "--explain"], environment);
  expect(await read("?explain=true")).toBe(`{"sessionId":"${sessionId}",${explanation.stdout.trim().slice(1)}`);
  const worth = await runPas([...score, "--quality"], environment);
  expect(await read("?quality=true")).toBe(`{"sessionId":"${sessionId}",${worth.stdout.trim().slice(1)}`);
  const both = await runPas([...score, "--quality", "--explain"], environment);
  expect(await read("?quality=true&explain=true")).toBe(`{"sessionId":"${sessionId}",${both.stdout.trim().slice(1)}`);
});

test("the built-in instrument is valid and published, and the same file is not published again", async () => {
  const file = "src/products/values-bridge/definition/values-bridge.json";
  expect(await result("assessment", "check", file)).toEqual({ file, faults: 0 });
  expect(await result("assessment", "publish", file)).toMatchObject({ assessmentId: 1, version: 1, created: false });
  expect(await results("assessment", "list")).toMatchObject([{ version: 1 }]);
});

test("the branding of a partner is changed member by member, and removed by empty values", async () => {
  const { partnerId } = await result<{ partnerId: string }>("partner", "create", "--name", "Acme");
  const brand = (...args: string[]) => result("partner", "brand", partnerId, ...args);
  const none = {
    partnerId,
    displayName: null,
    logoUrl: null,
    accentColor: null,
    supportText: null,
    frameAncestors: [],
    comparison: "none",
    offerLongForm: false,
  };
  expect(await brand()).toEqual(none);
  expect(await brand("--name", "Acme", "--accent", "#FF8800")).toMatchObject({ accentColor: "#ff8800" });
  const frames = "https://acme.example  https://intranet.acme.example:8443";
  expect(await brand("--support", "Call Ana.", "--frames", frames)).toMatchObject({ displayName: "Acme" });
  expect(await brand("--comparison", "others")).toMatchObject({ displayName: "Acme", comparison: "others" });
  expect(await brand("--offer-long-form", "on")).toMatchObject({ comparison: "others", offerLongForm: true });
  expect(await brand("--comparison", "none")).toMatchObject({ comparison: "none", offerLongForm: true });
  expect(await brand("--logo", "https://acme.example/logo.svg")).toEqual({
    partnerId,
    displayName: "Acme",
    logoUrl: "https://acme.example/logo.svg",
    accentColor: "#ff8800",
    supportText: "Call Ana.",
    frameAncestors: ["https://acme.example", "https://intranet.acme.example:8443"],
    comparison: "none",
    offerLongForm: true,
  });
  expect(await brand("--name=", "--logo=", "--accent=", "--support=", "--frames=", "--offer-long-form", "off")).toEqual(
    none,
  );
  const refusal = await runPas(["partner", "brand", partnerId, "--accent", "orange"], environment);
  expect(refusal).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "pas: branding/accentColor: An accent colour is written #rrggbb.\n",
  });
});

test("a stop ends the service cleanly, and a new start finds everything again", async () => {
  const readClient = async () => JSON.parse(await readFile(join(folder, "data", "demo-client.json"), "utf8"));
  const client = await readClient();
  const creation = await restTransport(httpUrl).createSession({ token: await fetchToken(httpUrl, client) }, {});
  service.kill("SIGTERM");
  service.kill("SIGINT");
  expect(await service.ended).toBe(0);
  await start();
  expect(await readClient()).toEqual({ ...client, url: httpUrl });
  const token = await fetchToken(httpUrl, client);
  const status = await restTransport(httpUrl).getSession({ token }, bodyOf(creation).sessionId);
  expect(bodyOf(status).status).toBe("in_progress");
});
