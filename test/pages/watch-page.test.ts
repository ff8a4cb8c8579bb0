// The live page of `pas demo --watch` in a browser: what is shown to it can be seen, and it says when that was all.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWatchPage } from "../../src/cli/demo/watch-page.ts";
import { violationsOn } from "../support/browser/axe.ts";
import { launchBrowser, openDevice } from "../support/browser/browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>';

test("requests, webhooks, events and the report have a card each, the report as a picture, and the page says when all is done", async () => {
  const { context, page } = await openDevice(browser);
  const live = await openWatchPage();
  live.show({
    kind: "request",
    title: "POST /v1/sessions/019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e/complete 200",
    text: '{"sessionId":"1"}',
  });
  await page.goto(live.url);
  await live.opened;
  live.show({ kind: "webhook", title: "session.completed", text: "{}" });
  live.show({ kind: "event", title: "session.scored", text: "<b>words</b>" });
  live.show({ kind: "report", title: "The report", text: picture, link: "http://127.0.0.1:9/reports/1" });
  for (const [kind, words] of [
    ["request", "POST /v1/sessions/{id}/complete 200"],
    ["request", '{"sessionId":"1"}'],
    ["webhook", "session.completed"],
    ["event", "<b>words</b>"],
  ]) {
    await page.locator(`#${kind} article`, { hasText: words ?? "" }).waitFor();
  }
  const width = () => page.evaluate("document.querySelector('#report img')?.naturalWidth ?? 0");
  await expect.poll(width).toBe(40);
  const tops = await page.evaluate("[...document.querySelectorAll('section')].map((each) => each.id)");
  expect(tops).toEqual(["report", "request", "webhook", "event"]);
  expect(await page.getByRole("link", { name: "The report" }).getAttribute("href")).toMatch(/reports\/1$/);
  await live[Symbol.asyncDispose]();
  await page.getByText("That was all.").waitFor();
  expect(await violationsOn(page)).toEqual([]);
  await context.close();
});
