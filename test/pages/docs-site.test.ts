// The documentation in a real browser: nothing stands in anybody's way, nothing comes from elsewhere, search and samples work.
import { mkdirSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startTestApp, startTestGateway, type TestApp, type TestGateway } from "../support/app.ts";
import { violationsOn } from "../support/browser/axe.ts";
import { launchBrowser, openDevice } from "../support/browser/browser.ts";
import { inExtent } from "../support/extent.ts";

let app: TestApp;
let gateway: TestGateway | undefined;
let browser: Browser;
let url: string;
beforeAll(async () => {
  app = await startTestApp();
  if (inject("deployment") === "core and gateway") gateway = await startTestGateway(app);
  url = gateway?.httpUrl ?? app.httpUrl;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await gateway?.stop();
  await app.stop();
});

/** Every page that the navigation of the first one leads to, and one problem. */
async function addresses(): Promise<string[]> {
  const { context, page } = await openDevice(browser);
  await page.goto(`${url}/docs/`);
  const links = (await page.evaluate("[...document.querySelectorAll('nav a')].map((link) => link.href)")) as string[];
  await context.close();
  return [...links.filter((link) => !link.endsWith(".json")), `${url}/problems/invalid_request`];
}

const looks = [320, 1100].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })));

// In a short form the small light one and the large dark one.
const shown = inExtent(
  looks,
  looks.filter(({ width, scheme }) => (width === 320) === (scheme === "light")),
);

describe.each(shown)("at $width px, $scheme", ({ width, scheme }) => {
  test("no page has anything in anybody's way, or is wider than the screen, or asks another host", async () => {
    const device = { viewport: { width, height: 800 }, colorScheme: scheme, isMobile: false, deviceScaleFactor: 1 };
    const { context, page } = await openDevice(browser, device);
    const trouble: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) trouble.push(`asked ${request.url()}`);
    });
    page.on("console", (message) => {
      if (message.type() === "error") trouble.push(message.text());
    });
    for (const address of await addresses()) {
      await page.goto(address);
      const name = address.slice(url.length);
      const scrollWidth = await page.evaluate("document.documentElement.scrollWidth");
      if (scrollWidth !== width) trouble.push(`${name} is ${scrollWidth} wide`);
      for (const violation of await violationsOn(page)) trouble.push(`${name}: ${violation}`);
      await keepPicture(page, `${width}-${scheme}-${name.replaceAll(/\W/g, "-")}`);
    }
    expect(trouble).toEqual([]);
    await context.close();
  });
});

/** A picture for people to look at, if they ask for it. */
async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return;
  mkdirSync("screenshots/docs", { recursive: true });
  await page.screenshot({ path: `screenshots/docs/${name}.png` });
}

test("search finds a section by its words, and leads there", async () => {
  const { context, page } = await openDevice(browser, { viewport: { width: 1100, height: 800 }, isMobile: false });
  await page.goto(`${url}/docs/webhooks`);
  await page.getByLabel("Search").fill("idempotency key reused");
  await page.locator("#results a").first().waitFor();
  expect(await page.locator("#found").textContent()).toMatch(/^\d+ found$/);
  expect(await violationsOn(page)).toEqual([]);
  await page.getByLabel("Search").press("Enter");
  await page.waitForURL(`${url}/problems/idempotency_key_reused`);
  await page.getByLabel("Search").fill("zzzzqqqq");
  await page.getByText("Nothing found").waitFor();
  await context.close();
});

test("samples show one language at a time, by mouse and keyboard, and the choice is kept", async () => {
  const { context, page } = await openDevice(browser, { viewport: { width: 1100, height: 800 }, isMobile: false });
  await page.goto(`${url}/docs/`);
  const tabs = page.locator(".tabs").first();
  await tabs.getByRole("tab", { name: "Python" }).click();
  expect(await page.locator('pre:visible:has-text("curl")').count()).toBe(0);
  expect(await page.locator('pre:visible:has-text("import requests")').count()).toBe(1);
  await page.goto(`${url}/docs/reference/sessions`);
  await page.locator('pre:visible:has-text("requests.post")').first().waitFor();
  await page.getByRole("tab", { name: "Python" }).first().press("ArrowLeft");
  await page.locator('pre:visible:has-text("await fetch")').first().waitFor();
  expect(await page.locator('pre:visible:has-text("requests.post")').count()).toBe(0);
  await context.close();
});

test("without JavaScript every sample is there, with the name of its language", async () => {
  const { context, page } = await openDevice(browser, { javaScriptEnabled: false });
  await page.goto(`${url}/docs/`);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Getting started");
  for (const language of ["curl", "TypeScript", "Python"])
    expect(await page.locator(".language", { hasText: language }).first().isVisible()).toBe(true);
  expect(await page.getByLabel("Search").isVisible()).toBe(false);
  await context.close();
});
