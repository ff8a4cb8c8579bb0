// The request collection in examples/bruno, read as Bruno reads it and sent to a service: every operation is in it, and
// every request is one that the service takes.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTwinCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { fetchOpenApi } from "../../support/openapi.ts";

let app: TestApp;
let variables: Map<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  // Requests of the sandbox are for test credentials only.
  const { credentials } = await addTwinCaller(app, await app.addPartner());
  const environment = pairsOf(blocksOf("examples/bruno/environments/local.bru").get("vars"));
  variables = new Map([...environment, ...Object.entries(credentials), ["url", app.httpUrl]]);
});
afterAll(() => app.stop());

type Blocks = ReadonlyMap<string, string>;

/** The blocks of a file, by name. */
function blocksOf(file: string): Blocks {
  const blocks = readFileSync(file, "utf8").matchAll(/^([\w:-]+) \{\n(.*?)\n\}$/gms);
  return new Map([...blocks].map(([, name = "", content = ""]) => [name, content]));
}

function pairsOf(content = ""): Map<string, string> {
  const pairs = content.split("\n").flatMap((line) => {
    const [, name = "", value = ""] = /^\s*([\w.]+): ?(.*)$/.exec(line) ?? [];
    return name === "" ? [] : [[name, value] as const];
  });
  return new Map(pairs);
}

/** A number that orders a file among the others of its folder, and a folder among the others. */
function sequenceOf(file: string): number {
  return Number(pairsOf(blocksOf(file).get("meta")).get("seq"));
}

const requests = globSync("examples/bruno/*/*.bru")
  .filter((file) => !/folder\.bru$|environments/.test(file))
  .toSorted((one, other) => place(one) - place(other));

function place(file: string): number {
  return sequenceOf(`${dirname(file)}/folder.bru`) * 1000 + sequenceOf(file);
}

function fill(text: string): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`no request before has set ${name}`);
    return value;
  });
}

/** Sends a request, and keeps what later ones take from the response. */
async function send(blocks: Blocks): Promise<number> {
  const method = ["get", "post", "put", "patch", "delete"].find((each) => blocks.has(each)) ?? "";
  const { url = "", auth } = Object.fromEntries(pairsOf(blocks.get(method)));
  const json = blocks.get("body:json");
  const form = blocks.get("body:form-urlencoded");
  const headers = {
    ...(auth === "inherit" ? { authorization: `Bearer ${variables.get("token")}` } : {}),
    ...(json === undefined ? {} : { "content-type": "application/json" }),
  };
  const body = json === undefined ? form && new URLSearchParams([...pairsOf(fill(form))]) : fill(json);
  const response = await fetch(fill(url), { method: method.toUpperCase(), headers, ...(body ? { body } : {}) });
  const text = await response.text();
  const content = /[/+]json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : undefined;
  const keep = (name: string, value: unknown) => variables.set(name, String(value));
  for (const [name, expression] of pairsOf(blocks.get("vars:post-response")))
    keep(name, new Function("res", `return ${expression}`)({ body: content }));
  const script = blocks.get("script:post-response");
  if (script !== undefined) new Function("res", "bru", script)({ getBody: () => content }, { setVar: keep });
  return response.status;
}

test("it has every operation of the OpenAPI document, and no other", async () => {
  const { paths } = await fetchOpenApi(app.httpUrl);
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
  );
  const collected = requests.map((file) => {
    const [, method = "", path = ""] =
      /^(\w+) \{\n {2}url: \{\{url\}\}([^?\n]*)/m.exec(readFileSync(file, "utf8")) ?? [];
    const template = path
      .replace(/\{\{(?:open|second)Id\}\}/, "{{id}}")
      .replaceAll("{{", "{")
      .replaceAll("}}", "}");
    return `${basename(file, ".bru")}: ${method} ${template}`;
  });
  const more = new Set(["createOpenSession", "createSecondSession", "completeSecondSession"]);
  const operations = collected.filter((line) => !more.delete(line.split(":")[0] ?? ""));
  expect(more).toEqual(new Set());
  expect(operations.toSorted()).toEqual(documented.toSorted());
});

interface PostmanRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: { readonly raw?: string };
}

test("the collection for Postman sends the same requests, in the same order", () => {
  const { item: folders } = JSON.parse(readFileSync("examples/postman.json", "utf8"));
  const told = (folders as { item: { name: string; request: PostmanRequest }[] }[]).flatMap(({ item }) =>
    item.map(({ name, request }) => `${name}: ${request.method} ${request.url} ${request.body?.raw ?? ""}`),
  );
  const own = requests.map((file) => {
    const blocks = blocksOf(file);
    const method = ["get", "post", "put", "patch", "delete"].find((each) => blocks.has(each)) ?? "";
    const url = pairsOf(blocks.get(method)).get("url");
    const name = pairsOf(blocks.get("meta")).get("name");
    return `${name}: ${method.toUpperCase()} ${url} ${(blocks.get("body:json") ?? "").trim()}`;
  });
  expect(told).toEqual(own);
});

test("every request gets what it asserts, one after the other, and that is success but for a report without people", async () => {
  const unexpected: string[] = [];
  const refused: string[] = [];
  for (const file of requests) {
    const name = basename(file, ".bru");
    const blocks = blocksOf(file);
    const status = await send(blocks);
    const [, relation, number] = /^ {2}res\.status: (lt|eq) (\d+)$/m.exec(blocks.get("assert") ?? "") ?? [];
    const isExpected = relation === "lt" ? status < Number(number) : status === Number(number);
    if (!isExpected) unexpected.push(`${name}: ${status}`);
    if (status >= 300) refused.push(`${name}: ${status}`);
  }
  expect(unexpected).toEqual([]);
  expect(refused).toEqual(["getTeamReport: 409"]);
  expect(requests.length).toBeGreaterThan(40);
});
