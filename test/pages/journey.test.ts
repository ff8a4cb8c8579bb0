// The whole way of a person, from the link to the partner's site, on a small phone and by keyboard alone.
import { createRemoteJWKSet, jwtVerify } from "jose";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { TestApp } from "../support/app.ts";
import { ratingAt, storedRatings, tapAnswers } from "../support/browser/answering.ts";
import { desktop, launchBrowser, openDevice, phone, tap } from "../support/browser/browser.ts";
import { addHostedPartner, type TestPartner } from "../support/browser/hosted.ts";
import { inExtent } from "../support/extent.ts";
import { startDeployment } from "../support/processes/deployment.ts";

const total = 152;

let app: TestApp;
let partner: TestPartner;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([startDeployment(), launchBrowser()]);
  partner = await addHostedPartner(app);
});
afterAll(async () => {
  await browser.close();
  await partner.close();
  await app.stop();
});

const ratings = Array.from({ length: total }, (_, index) => ratingAt(index + 1));

/** Results of a headless session with the same answers. */
async function headlessResults() {
  const { sessionId, assessment } = await partner.createHeadless();
  const answers = new Map(assessment?.questions.map(({ id, position }) => [id, ratingAt(position)]));
  await partner.complete(sessionId, answers);
  return partner.resultsOf(sessionId);
}

async function expectReturn(page: Page, sessionId: string): Promise<void> {
  await page.getByRole("heading", { name: "Welcome back at the partner" }).waitFor();
  const url = new URL(page.url());
  expect(`${url.origin}${url.pathname}`).toBe(partner.returnUrl.split("?")[0]);
  const { order, completion = "", ...rest } = Object.fromEntries(url.searchParams);
  expect([order, rest]).toEqual(["42", { sessionId, status: "completed" }]);
  const keys = createRemoteJWKSet(new URL(`${app.httpUrl}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(completion, keys, { issuer: app.httpUrl, audience: partner.partnerId });
  expect(payload).toMatchObject({ sessionId, status: "completed" });
}

test("answers tapped on a phone of 360 px are stored, scored as if headless, and lead the person to the partner", async () => {
  const { sessionId, hostedUrl } = await partner.createHosted();
  const { context, page } = await openDevice(browser, phone);
  await page.goto(hostedUrl);
  expect(page.url()).toBe(`${app.httpUrl}/hosted/sessions/${sessionId}`);
  await tap(page.getByRole("link", { name: "Start" }));
  for (let position = 1; position <= total; ) {
    await page.locator("form[data-answers]").waitFor();
    const scrollable = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(scrollable).toBeLessThanOrEqual(0);
    position += await tapAnswers(page, position);
    await page
      .getByText(`${position - 1} of ${total} answered`)
      .first()
      .waitFor();
    const before = page.url();
    await tap(page.locator("button[value=next]"));
    await page.waitForURL((url) => url.href !== before);
  }
  await page.getByText(`You have answered all ${total} statements.`).waitFor();
  await tap(page.getByRole("button", { name: "Finish" }));
  await expectReturn(page, sessionId);
  expect(await storedRatings(app, sessionId)).toEqual(ratings);
  expect(await partner.statusOf(sessionId)).toBe("completed");
  expect(await partner.resultsOf(sessionId)).toEqual(await headlessResults());
  await context.close();
});

// Keys never reach a server: a short form shows them in one process.
const keyboards = inject("deployment") === "one process" ? ["keyboard"] : inExtent(["keyboard"], []);

test.each(keyboards)("%s alone leads from the link to the partner: Tab, numbers, arrows, Space and Enter", async () => {
  const { sessionId, hostedUrl } = await partner.createHosted();
  const { context, page } = await openDevice(browser, desktop);
  const press = async (key: string, times = 1) => {
    for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
  };
  await page.goto(hostedUrl);
  await press("Tab");
  await press("Enter");
  for (let position = 1; position <= total; ) {
    await page.locator("form[data-answers]").waitFor();
    await page.waitForLoadState();
    // The first stop leads past what every page repeats.
    await press("Tab");
    await press("Enter");
    await page.waitForURL(({ hash }) => hash === "#statements");
    const count = await page.locator("fieldset").count();
    for (let index = 0; index < count; index += 1) {
      await press("Tab");
      if (index % 2 === 0) await press(String(ratingAt(position + index)));
      else await press("Space").then(() => press("ArrowRight", ratingAt(position + index) - 1));
    }
    position += count;
    const before = page.url();
    await press("Tab");
    await press("Enter");
    await page.waitForURL((url) => url.href !== before);
  }
  await press("Tab");
  await press("Enter");
  await expectReturn(page, sessionId);
  expect(await storedRatings(app, sessionId)).toEqual(ratings);
  await context.close();
});
