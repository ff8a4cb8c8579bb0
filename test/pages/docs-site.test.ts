// The documentation in a real browser: nothing stands in anybody's way, nothing comes from elsewhere, search and samples work.
import { mkdirSync } from "node:fs";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violationsOn } from "../support/browser/axe.ts";
import { openDevice } from "../support/browser/browser.ts";
import { browserOfFile } from "../support/browser/of-file.ts";
import { inExtent, inTurns } from "../support/extent.ts";
import { appOfFile } from "../support/of-file.ts";

const [{ httpUrl: url }, browser] = await Promise.all([appOfFile(), browserOfFile()]);

/** Every page that the navigation of the first one leads to, and one problem. */
async function addresses(): Promise<string[]> {
  const { page } = await openDevice(browser);
  await page.goto(`${url}/docs/`);
  const links = (await page.evaluate(
    "[...document.querySelectorAll('#pages a')].map((link) => link.href)",
  )) as string[];
  return [`${url}/docs/`, ...links.filter((link) => !link.endsWith(".json")), `${url}/problems/invalid_request`];
}

const looks = [320, 1100].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })));

// In a short run the small light one and the large dark one, an eighth of the pages at each.
const shown = inExtent(
  looks,
  looks.filter(({ width, scheme }) => (width === 320) === (scheme === "light")),
);

describe.each(shown)("at $width px, $scheme", ({ width, scheme }) => {
  test("every page is accessible, fits the screen, and loads nothing from another host", async () => {
    const device = { viewport: { width, height: 800 }, colorScheme: scheme, isMobile: false, deviceScaleFactor: 1 };
    const { page } = await openDevice(browser, device);
    const trouble: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) trouble.push(`asked ${request.url()}`);
    });
    page.on("console", (message) => {
      if (message.type() === "error") trouble.push(message.text());
    });
    for (const address of inTurns(await addresses(), 8, Number(width === 320))) {
      await page.goto(address);
      if (address.endsWith("/reference")) await page.getByRole("heading", { name: "Sessions" }).first().waitFor();
      const name = address.slice(url.length);
      const scrollWidth = await page.evaluate("document.documentElement.scrollWidth");
      if (scrollWidth !== width) trouble.push(`${name} is ${scrollWidth} wide`);
      for (const violation of await violationsOn(page)) trouble.push(`${name}: ${violation}`);
      await keepPicture(page, `${width}-${scheme}-${name.replaceAll(/\W/g, "-")}`);
    }
    expect(trouble).toEqual([]);
  });
});

/** A picture for people to look at, if they ask for it. */
async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return;
  mkdirSync("screenshots/docs", { recursive: true });
  await page.screenshot({ path: `screenshots/docs/${name}.png` });
}

const wide = { viewport: { width: 1400, height: 800 }, isMobile: false, hasTouch: false };

const searches = [
  ["idempotency", "docs/errors#retries-and-idempotency"],
  ["CORS", "docs/connect#in-a-browser-cors"],
  ["webhook signature", "docs/webhooks#verify-the-signature"],
  ["signature verification", "docs/webhooks#verify-the-signature"],
  ["create session", "docs/getting-started#create-a-session"],
  ["create an assessment session", "docs/reference#tag/sessions/createSession"],
  ["rate_limited", "problems/rate_limited"],
] as const;

/** Types words into the search of a page, until it shows what it has found. */
async function search(words: string, from = "webhooks", device: BrowserContextOptions = wide): Promise<Page> {
  const { page } = await openDevice(browser, device);
  await page.goto(`${url}/docs/${from}`);
  await page.getByLabel("Search").fill(words);
  await page.locator("#results a").first().waitFor();
  return page;
}

test.each(inTurns(searches, 2, 0))("search for %s leads to %s first", async (words, path) => {
  const page = await search(words);
  expect(await page.locator("#results a").first().getAttribute("href")).toBe(`../${path}`);
  await page.getByLabel("Search").press("Enter");
  await page.waitForURL(`${url}/${path}`);
});

const otherWords = [
  ["pagination", "next|after|page"],
  ["timezone", "zone|UTC"],
  ["sdk", "client"],
  ["docker", "image|compose"],
  ["api key", "access|token"],
  ["benchmark", "norm|comparison"],
  ["nodejs", "node|typescript"],
  ["resume later", "continue|browser"],
  ["webhooks that nobody has ever verified", "webhook|verif"],
  ["postman", "Bruno|collection"],
  ["refresh token", "token"],
  ["iframe embed", "frame"],
  ["likret", "likert"],
] as const;

test.each(inTurns(otherWords, 4, 0))("search for %s, a word that others use, finds %s", async (words, meant) => {
  const page = await search(words);
  expect((await page.locator("#results .excerpt").allTextContents()).join(" ")).toMatch(new RegExp(meant, "i"));
});

test("search says how many sections it found, with their words, and Escape ends it", async () => {
  const page = await search("signing keys", "hosted");
  expect(await page.locator("#found").textContent()).toMatch(/^\d+ found$/);
  expect(await page.locator("#results mark").first().textContent()).toMatch(/sign|key/i);
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement === document.querySelector('#results a')")).toBe(true);
  await page.keyboard.press("Escape");
  expect(await page.locator("#results a").count()).toBe(0);
  await page.getByLabel("Search").fill("zzzzqqqq");
  await page.getByText("Nothing found").waitFor();
});

test("the search is as wide as the screen on a phone, and a button leads to all pages", async () => {
  const page = await search("webhooks", "webhooks", { viewport: { width: 320, height: 640 } });
  const box = await page.locator(".hits").boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  await page.getByLabel("Search").press("Escape");
  await page.getByRole("button", { name: "All pages" }).click();
  await page.getByRole("navigation", { name: "All pages" }).waitFor();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("link", { name: "Hosted pages" }).click();
  await page.waitForURL(`${url}/docs/hosted`);
});

test("an outline leads to every heading: opened on a phone, beside the text on a large screen", async () => {
  const small = await openDevice(browser);
  await small.page.goto(`${url}/docs/webhooks`);
  await small.page.getByText("On this page").click();
  await small.page.getByRole("link", { name: "Rotate the secret", exact: true }).click();
  await small.page.waitForURL(`${url}/docs/webhooks#rotate-the-secret`);
  const large = await openDevice(browser, wide);
  await large.page.goto(`${url}/docs/webhooks#rotate-the-secret`);
  expect(await large.page.locator(".outline a", { hasText: "Rotate the secret" }).isVisible()).toBe(true);
});

test("a sample is copied exactly as shown", async () => {
  const { page } = await openDevice(browser, { ...wide, permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(`${url}/docs/getting-started`);
  const sample = page.locator('.code:has-text("grant_type=client_credentials")').first();
  await sample.getByRole("button", { name: "Copy" }).click();
  await sample.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  expect(copied).toBe((await sample.locator("code").textContent())?.trimEnd());
  expect(copied).toMatch(/^TOKEN=\$\(curl -sS "\$PAS_URL\/oauth\/token"/);
});

test.each(inTurns(["docs/webhoks", "docs/reference/webhoks", "problems/webhoks"], 3, 0))(
  "a person at /%s gets a page that leads to others",
  async (path) => {
    const { page } = await openDevice(browser);
    const response = await page.goto(`${url}/${path}`);
    expect(response?.status()).toBe(404);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("main").getByRole("link", { name: "Getting started" }).click();
    await page.waitForURL(`${url}/docs/getting-started`);
  },
);

test("a link into the reference leads to its operation, with a sample, a response and the way to try it", async () => {
  const { page } = await openDevice(browser, wide);
  const trouble: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") trouble.push(message.text());
  });
  await page.goto(`${url}/docs/reference#tag/sessions/createSession`);
  const operation = page.getByRole("region", { name: "Create an assessment session" });
  await operation.getByRole("heading", { name: "Create an assessment session" }).waitFor();
  await operation.getByText("curl", { exact: true }).first().waitFor();
  await operation
    .getByText(`${new URL(url).port}/v1/values-bridge/sessions`)
    .first()
    .waitFor();
  await operation.getByRole("button", { name: /Test Request/ }).click();
  await page.getByRole("dialog").waitFor();
  expect(trouble).toEqual([]);
});

test("samples show one language at a time, by mouse and keyboard, all of a page the same", async () => {
  const { page } = await openDevice(browser, { viewport: { width: 1100, height: 800 }, isMobile: false });
  await page.goto(`${url}/docs/getting-started`);
  const tabs = page.locator(".tabs").first();
  await tabs.getByText("Python", { exact: true }).first().click();
  expect(await page.locator('pre:visible:has-text("curl")').count()).toBe(0);
  expect(await page.locator('pre:visible:has-text("import requests")').count()).toBe(1);
  await page.getByRole("radio", { name: "Python" }).first().press("ArrowLeft");
  await page.locator('pre:visible:has-text("await fetch")').first().waitFor();
  expect(await page.locator('pre:visible:has-text("requests.post")').count()).toBe(0);
});

test("every sample is there without JavaScript, in each language", async () => {
  const { page } = await openDevice(browser, { javaScriptEnabled: false });
  await page.goto(`${url}/docs/getting-started`);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Getting started");
  for (const [language, text] of [
    ["TypeScript", "await fetch"],
    ["Python", "requests.post"],
    ["curl", "curl"],
  ]) {
    await page.locator(".tabs").first().getByText(`${language}`, { exact: true }).first().click();
    expect(await page.locator(".tabs pre:visible").first().textContent()).toContain(text);
  }
  expect(await page.getByLabel("Search").isVisible()).toBe(false);
});
