// The page on which people join a group, in a real browser.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { catalogues } from "../../src/pages/catalogue/language.ts";
import { violationsOn } from "../support/browser/axe.ts";
import { openDevice, phone } from "../support/browser/browser.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile, deploymentOfFile } from "../support/browser/of-file.ts";

const [app, browser] = await Promise.all([deploymentOfFile(), browserOfFile()]);
const partner = await addHostedPartner(app);
await partner.brand({ displayName: "Acme Coaching", accentColor: "#c2410c" });

async function expectBrand(page: Page, language: string): Promise<void> {
  expect(await page.locator("html").getAttribute("lang")).toBe(language);
  expect(await page.locator("header.brand .name").textContent()).toBe("Acme Coaching");
  expect(await violationsOn(page)).toEqual([]);
}

test("the page names the partner and bars nobody, in every language; so does the page of a code that is full", async () => {
  const { url } = await partner.createJoinCode({ form: "short", maxSessions: 1 });
  const { page } = await openDevice(browser, phone);
  for (const { language, texts } of catalogues) {
    expect((await page.goto(`${url}?language=${language}`))?.status()).toBe(200);
    await page.getByRole("button", { name: texts.join, exact: true }).waitFor();
    await expectBrand(page, language);
  }
  await page.getByRole("button").click();
  await page.locator("main a.button").waitFor();
  const stranger = await openDevice(browser, phone);
  for (const { language, texts } of catalogues) {
    expect((await stranger.page.goto(`${url}?language=${language}`))?.status()).toBe(410);
    await stranger.page.getByRole("heading", { name: texts.endedJoinTitle }).waitFor();
    await expectBrand(stranger.page, language);
  }
});

test("back and forth, the browser has one session, and finds its answers by the same address", async () => {
  const { url } = await partner.createJoinCode({ form: "short" });
  const { page } = await openDevice(browser, phone);
  await page.goto(url);
  await page.getByRole("button", { name: "Take part" }).dblclick();
  await page.locator("main a.button").waitFor();
  const start = page.url();
  await page.goBack();
  await page.getByRole("button").click();
  await page.waitForURL(start);
  await page.goto(url);
  await page.getByRole("button", { name: "Continue where you left off" }).click();
  await page.locator("main a.button").waitFor();
  expect(page.url()).toBe(start);
});
