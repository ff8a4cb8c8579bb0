// The documentation as a site, at every role that serves REST: complete, without dead links, cached, and compressed once.

import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { navigation } from "../../../src/docs-site/guides.ts";
import { responseExamples } from "../../../tools/openapi/response-examples.ts";
import { appOfFile, gatewayOfFile } from "../../support/of-file.ts";
import { fetchOpenApi } from "../../support/openapi.ts";

const app = await appOfFile();
const gateway = await gatewayOfFile(app);

const guides = navigation.flatMap(({ links }) => links);

/** Every page that links of pages lead to, by its address, from the first one on. */
async function everyPage(url: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = [`${url}/docs/`];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (pages.has(address)) continue;
    const response = await fetch(address);
    const type = response.headers.get("content-type") ?? "";
    const text = await response.text();
    expect([address, response.status]).toEqual([address, 200]);
    pages.set(address, text);
    if (type.startsWith("text/html")) waiting.push(...linksOf(address, text).filter((link) => link.startsWith(url)));
  }
  return pages;
}

/** What a page leads to or shows, without anchors. */
function linksOf(address: string, html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = ""]) => {
    const url = new URL(link.replaceAll("&amp;", "&"), address);
    return `${url.origin}${url.pathname}`;
  });
}

describe.each([
  ["one process", () => app.httpUrl],
  ["a gateway of its own", () => gateway.httpUrl],
])("in %s", (_, urlOf) => {
  test("no link is dead, and everything comes from the service itself", async () => {
    const url = urlOf();
    const pages = await everyPage(url);
    for (const { path } of guides) expect([...pages.keys()]).toContain(`${url}/${path}`);
    for (const [address, html] of pages) {
      if (!html.startsWith("<!doctype")) continue;
      for (const [, link = ""] of html.matchAll(/<(?:img|script|link)[^>]* (?:src|href)="([^"]+)"/g))
        expect(new URL(link, address).origin).toBe(url);
      for (const [, link = ""] of html.matchAll(/href="([^"]*#[^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(link, address);
        const target = pages.get(`${origin}${pathname}`);
        if (origin === url)
          expect([address, link, target?.includes(`id="${decodeURIComponent(hash.slice(1))}"`)]).toEqual([
            address,
            link,
            true,
          ]);
      }
    }
  });
});

test("a page below a path of a proxy links to pages below that path", async () => {
  const html = await (await fetch(`${app.httpUrl}/docs/webhooks`)).text();
  const outside = linksOf("https://example.com/assess/docs/webhooks", html).filter(
    (link) => link.startsWith("https://example.com/") && !link.startsWith("https://example.com/assess/"),
  );
  expect(outside).toEqual([]);
});

test("pages allow nothing but what the service sends, and no inline script or style", async () => {
  const response = await fetch(`${app.httpUrl}/docs/`);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  const html = await response.text();
  expect(html).not.toMatch(/<style| style=|<script(?! type="module" src=)| on\w+="/);
});

test.each([
  ["/docs/hosted", "public, max-age=300", "<h1>Hosted mode</h1>"],
  ["/openapi.json", "no-cache", '"openapi": "3.1.0"'],
])(
  "%s is the same in each coding, with a tag of its own under which it is not sent again",
  async (path, caching, part) => {
    const texts = new Set<string>();
    for (const coding of ["br", "gzip", "identity"]) {
      const ask = (etag = "") =>
        fetch(`${app.httpUrl}${path}`, { headers: { "accept-encoding": coding, "if-none-match": etag } });
      const first = await ask();
      expect(first.headers.get("content-encoding")).toBe(coding === "identity" ? null : coding);
      expect(first.headers.get("cache-control")).toBe(caching);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(/^"[\w-]+"$/);
      texts.add(await first.text());
      const second = await ask(tag);
      expect([second.status, await second.text()]).toEqual([304, ""]);
    }
    expect([...texts]).toEqual([expect.stringContaining(part)]);
  },
);

test("a path without a page returns a problem, and never a file", async () => {
  for (const path of [
    "/docs/nonsense",
    "/docs/../package.json",
    "/docs/%2e%2e%2fpackage.json",
    "/docs/assets/site.js.map",
    "/docs/assets/../landing.html",
  ])
    expect([path, (await fetch(`${app.httpUrl}${path}`)).status]).toEqual([path, 404]);
});

test("a browser gets an error page at an unknown address, with status and policy, and without the address", async () => {
  const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  for (const path of ["/docs/nonsense", "/docs/reference/nonsense", "/docs/a/b/nonsense", "/problems/nonsense"]) {
    const response = await fetch(`${app.httpUrl}${path}`, { headers });
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      404,
      "text/html; charset=utf-8",
    ]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await response.text();
    expect(html).not.toContain("nonsense");
    for (const link of linksOf(`${app.httpUrl}${path}`, html)) {
      if (link === `${app.httpUrl}${path}`) continue;
      expect([path, link, (await fetch(link, { method: "HEAD" })).status]).toEqual([path, link, 200]);
    }
  }
  const deep = await fetch(`${app.httpUrl}/docs/${"a/".repeat(500)}`, { headers });
  expect([deep.status, deep.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
});

test("the document has an example of every response with a JSON body", async () => {
  const { paths } = await fetchOpenApi(app.httpUrl);
  const missing = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Number(status) < 300 && "application/json" in content && responseExamples[operationId]?.[status] === undefined
          ? [`${operationId} ${status}`]
          : [],
      ),
    ),
  );
  expect(missing).toEqual([]);
});

test("the reference runs no script but those of the service, which has its library, for browsers to keep", async () => {
  const page = await fetch(`${app.httpUrl}/docs/reference`);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/\*|https?:|data:|unsafe-eval/);
  const script = await fetch(`${app.httpUrl}/docs/scalar.js`);
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const headers = { "if-none-match": script.headers.get("etag") ?? "" };
  expect((await script.text()).length).toBeGreaterThan(1_000_000);
  expect((await fetch(script.url, { headers })).status).toBe(304);
});

test("every guide that docs/ has is in the site, or is for those who change the service", () => {
  const others = ["README", "dependencies", "house", "licences"];
  const names = globSync("docs/*.md").map((file) => file.slice("docs/".length, -".md".length));
  expect(names.toSorted()).toEqual(
    [
      ...guides.flatMap(({ file }) => /\/docs\/([^/]+)\.md$/.exec(file?.pathname ?? "")?.[1] ?? []),
      ...others,
    ].toSorted(),
  );
});
