// The request collection in examples/bruno has every operation. Bruno itself runs it in test/outsiders.
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestApp } from "../../support/app.ts";
import { fetchOpenApi } from "../../support/openapi.ts";

test("the request collection has every operation of the OpenAPI document, and no other", async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const { paths } = await fetchOpenApi(app.httpUrl);
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
  );
  const requests = globSync("examples/bruno/*/*.bru").filter((file) => !/folder\.bru$|environments/.test(file));
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
