// What a process needs for some requests only is loaded for the first of them: at rest, nobody pays for it.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, startServed } from "../../support/transports/served.ts";

let folder: string;
let list: string;
let served: Served;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pas-loaded-test-"));
  list = join(folder, "loaded");
  served = await startServed(importing(listing(list)));
});
afterAll(async () => {
  await served.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Has a process run a module before all others. */
function importing(module: string) {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

/** Writes a line for each module that is loaded, imported or required. */
function listing(file: string): string {
  return `
    import { appendFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    registerHooks({
      load(url, context, next) {
        appendFileSync(${JSON.stringify(file)}, url + "\\n");
        return next(url, context);
      },
    });`;
}

/** Modules with such a part in their address that the process has loaded so far. */
async function loaded(part: string): Promise<string[]> {
  const modules = (await readFile(list, "utf8")).split("\n");
  return modules.filter((url) => url.includes(part));
}

test.each([
  ["webhooks", "node_modules/undici/"],
  ["webhooks", "src/webhooks/sending/agent.ts"],
  ["the documentation", "src/docs-site/render-site.ts"],
  ["the documentation", "node_modules/marked/"],
  ["the OpenAPI document", "src/gateway/openapi/document.ts"],
  ["the OpenAPI document", "src/gateway/openapi/describe-operation.ts"],
  ["the OpenAPI document", "src/gateway/openapi/composed-schemas.ts"],
  ["the OpenAPI document", "src/gen/comments.ts"],
  ["the OpenAPI document", "node_modules/@fastify/swagger/"],
  ["the OpenAPI document", "node_modules/yaml/"],
  ["definitions", "node_modules/ajv/"],
  ["definitions", "src/products/values-bridge/definition/check/"],
  ["definitions", "src/products/values-bridge/definition/schema/"],
  ["drawn reports", "node_modules/@myriaddreamin/"],
  ["drawn reports", "node_modules/@resvg/"],
  ["completion tokens", "node_modules/jose/"],
  ["other commands", "src/cli/demo/demo.ts"],
])("a process that serves has not loaded what is for %s: %s", async (_, part) => {
  expect(await loaded(part)).toEqual([]);
  // What every process needs is in the list.
  expect(await loaded("src/process/app.ts")).toHaveLength(1);
});

test("the first who asks for the documentation gets it", async () => {
  const pages = await Promise.all(["docs/", "problems/not_found"].map((path) => fetch(`${served.httpUrl}/${path}`)));
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  expect(await loaded("src/docs-site/render-site.ts")).toHaveLength(1);
  expect(await loaded("node_modules/marked/")).not.toEqual([]);
});
