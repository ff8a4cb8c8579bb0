// The OpenAPI document: clean, complete, and readable without any other server.

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { eventTypes } from "../../../src/domain/events/event-types.ts";
import { partnerScopes } from "../../../src/domain/identity/scopes.ts";
import { getOperation, operations } from "../../../src/gateway/rest/operations.ts";
import { errorRows } from "../../../src/kernel/errors/error-table.ts";
import { describeOperation } from "../../../tools/openapi/describe-operation.ts";
import { byName, describeApi } from "../../../tools/openapi/document.ts";
import { integer, nameSchema, string } from "../../../tools/openapi/json-schema.ts";
import { requestSchemas, responseSchemas } from "../../../tools/openapi/schemas.ts";
import { folderOfTest } from "../../support/folders.ts";
import { appOfFile } from "../../support/of-file.ts";
import { fetchOpenApi, type OpenApiDocument } from "../../support/openapi.ts";

const app = await appOfFile();
const document = await fetchOpenApi(app.httpUrl);

test("the linter reports nothing", async () => {
  const file = join(folderOfTest(), "openapi.json");
  await writeFile(file, JSON.stringify(document));
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout } = await promisify(execFile)("redocly", ["lint", file, "--format=json"], { env });
  const problems: { ruleId: string; message: string }[] = JSON.parse(stdout).problems;
  // `sessions` is no id of an endpoint, and `webhook-endpoints` no product: the words are kept free.
  const isKeptFree = ({ ruleId, message }: (typeof problems)[number]) =>
    ruleId === "no-ambiguous-paths" && message.includes("/v1/{product}/sessions` and `/v1/webhook-endpoints/");
  expect(problems.filter((problem) => !isKeptFree(problem))).toEqual([]);
});

test("every operation is documented with its id, its scope, and the statuses of its errors", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toEqual([{ url: app.httpUrl }]);
  const listed = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(listed.sort()).toEqual([...operations.map(({ id }) => id), "issueToken", "revokeToken"].sort());
  for (const { method, url } of operations) {
    const operation = document.paths[url.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    const statuses = Object.keys(operation?.responses ?? {});
    expect(statuses).toEqual(expect.arrayContaining(["401", "403", "404", "414", "429", "500", "503", "504"]));
    if (operation !== undefined && "requestBody" in operation)
      expect(statuses).toEqual(expect.arrayContaining(["400", "408", "413", "415", "422"]));
    expect(JSON.stringify(operation)).toMatch(new RegExp(`"oauth2":\\["(${partnerScopes.join("|")})"\\]`));
  }
});

test("the served document is what `npm run generate` writes, with the address of the service", async () => {
  const { servers, components } = describeApi();
  expect(servers).toEqual([{ url: "http://127.0.0.1:8080" }]);
  const served = JSON.stringify(document).replaceAll(`"${app.httpUrl}`, '"http://127.0.0.1:8080');
  expect(served).toBe(JSON.stringify(describeApi()));
  expect(JSON.stringify(components?.securitySchemes)).toContain('"tokenUrl":"http://127.0.0.1:8080/oauth/token"');
  expect(JSON.stringify(document.components)).toContain(`"tokenUrl":"${app.httpUrl}/oauth/token"`);
});

test("a deprecated operation is marked, and says what to use instead", () => {
  const deprecation = { since: new Date("2026-11-22"), sunset: new Date("2027-11-22"), instead: "Use ListSessions." };
  expect(describeOperation(getOperation("getSession"), deprecation)).toMatchObject({
    deprecated: true,
    description: expect.stringContaining(
      "Deprecated since 2026-11-22; it may be gone from 2027-11-22 on. Use ListSessions.",
    ),
  });
});

test("received webhooks have a tag of their own, since generators write a file for each tag", () => {
  const tagsOf = (items: OpenApiDocument["paths"]) =>
    new Set(Object.values(items).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)));
  const [called, received] = [tagsOf(document.paths), tagsOf(document.webhooks)];
  expect([...received].filter((tag) => called.has(tag))).toEqual([]);
  expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...called, ...received].toSorted());
});

test("two messages of one name are refused, in words that say what to do", () => {
  const twice = [nameSchema("Session", string()), nameSchema("Session", integer())];
  expect(() => byName(twice)).toThrow("two schemas are named Session: give a message another name");
});

test("every reason of an error that a caller can meet in an operation is named", () => {
  const text = JSON.stringify(document);
  const elsewhere = ["method_not_allowed"];
  const unnamed = errorRows.filter(({ code, httpStatus }) => httpStatus !== undefined && !text.includes(`\`${code}\``));
  expect(unnamed.map((row) => row.code)).toEqual(elsewhere);
});

test("every message of the protos, and every member in it, says what it means", () => {
  const silent: string[] = [];
  const look = (schema: Described, place: string) => {
    const variants = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
    // What a reference leads to says it; an object that has one member says it there.
    const says = schema.$ref ?? schema.description ?? variants[0]?.$ref ?? variants[0]?.description;
    if (!says && Object.keys(schema.properties ?? {}).length !== 1) silent.push(place);
    for (const one of [schema, schema.items ?? {}, ...variants]) {
      for (const [name, member] of Object.entries(one.properties ?? {})) look(member, `${place}/${name}`);
    }
  };
  const names = [...requestSchemas(), ...responseSchemas()].map(({ $id }) => String($id));
  for (const name of names) look(document.components.schemas[name] as Described, name);
  expect(names.length).toBeGreaterThan(40);
  expect(silent).toEqual([]);
});

interface Described {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
  readonly properties?: Readonly<Record<string, Described>>;
}

test("a mock of the document returns what the service returns: the scale, its labels, and matching ids", () => {
  const created = document.paths["/v1/{product}/sessions"]?.post?.responses["201"];
  const example = ["content", "application/json", "example"];
  const question = [...example, "assessment", "questions", 0];
  const choices = Array.from({ length: 7 }, (_, index) => expect.objectContaining({ id: index + 1 }));
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  expect(created).toHaveProperty([...example, "sessionId"], expect.stringMatching(uuid));
  expect(created).toHaveProperty([...question, "likertConfig"], { min: 1, max: 7 });
  expect(created).toHaveProperty([...question, "choices"], choices);
  expect(created).toHaveProperty([...question, "choices", 6, "label"], "Completely true");
});

test("every type of event is described as a webhook, and so is the test", () => {
  const { webhooks } = document as unknown as { webhooks: Record<string, unknown> };
  expect(Object.keys(webhooks)).toEqual([...eventTypes, "webhook.test"]);
});

test("only a body that may be missing is optional", () => {
  const optional = Object.entries(document.paths).flatMap(([path, { post }]) => {
    const body = (post as { requestBody?: { required?: boolean } } | undefined)?.requestBody;
    return body !== undefined && body.required !== true ? [path] : [];
  });
  const sessions = "/v1/{product}/sessions";
  const endpoint = "/v1/webhook-endpoints/{endpointId}";
  expect(optional).toEqual([
    `${sessions}/{id}/complete`,
    `${sessions}/{id}/cancel`,
    `${sessions}/{id}/reopen`,
    `${sessions}/{id}/links`,
    `${sessions}/{id}/report-links`,
    `${endpoint}/rotate-secret`,
    `${endpoint}/replay`,
  ]);
});

test("the address of the service redirects to its documentation", async () => {
  const response = await fetch(app.httpUrl);
  expect([response.redirected, response.url, response.status]).toEqual([true, `${app.httpUrl}/docs/`, 200]);
});

test("no member of a request has the keyword `default`, for which generated types require it", () => {
  const bodies = Object.entries(document.components.schemas).filter(([name]) => name.endsWith("Request"));
  expect(bodies.length).toBeGreaterThan(2);
  expect(JSON.stringify(bodies)).not.toContain('"default":');
});

test("every problem has a page that says when it occurs", async () => {
  for (const { code, title } of errorRows) {
    const response = await fetch(`${app.httpUrl}/problems/${code}`);
    expect([code, response.status, response.headers.get("content-type")]).toEqual([
      code,
      200,
      "text/html; charset=utf-8",
    ]);
    expect(await response.text()).toContain(`<h1>${title.replaceAll("'", "&#39;")}</h1>`);
  }
  expect((await fetch(`${app.httpUrl}/problems/nonsense`)).status).toBe(404);
  const list = await fetch(`${app.httpUrl}/problems`);
  const [, href = ""] = /href="([^"]*not_found)"/.exec(await list.text()) ?? [];
  expect(new URL(href, list.url).href).toBe(`${app.httpUrl}/problems/not_found`);
  // A proxy may serve the service under a path, which it takes away.
  expect(new URL(href, "https://example.com/assess/problems").pathname).toBe("/assess/problems/not_found");
});

test("a version has the same bounds wherever it is asked for", () => {
  const parameters = Object.values(document.paths).flatMap((path) =>
    Object.values(path).flatMap((operation) => operation.parameters ?? []),
  );
  const bounds = parameters.flatMap(({ name, schema }) =>
    name === "version" ? [[schema.minimum, schema.maximum]] : [],
  );
  expect(bounds).toEqual(Array.from({ length: 5 }, () => [1, 2 ** 31 - 1]));
});
