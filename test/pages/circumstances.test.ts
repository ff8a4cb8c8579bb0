// Other people, other circumstances: no JavaScript, other directions of writing, dark rooms, narrow screens, slow nets.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { clickAnswers, ratingAt, storedRatings } from "../support/browser/answering.ts";
import { chromiumAlone, desktop, openDevice, phone } from "../support/browser/browser.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile } from "../support/browser/of-file.ts";
import { appOfFile } from "../support/of-file.ts";
import { translatedDefinition } from "../support/values-bridge/definition.ts";

const [app, browser] = await Promise.all([appOfFile(), browserOfFile()]);
const partner = await addHostedPartner(app);

const numberFrom = (page: Page, script: string) => page.evaluate(script) as Promise<number>;

test.each(chromiumAlone)("the first page asks no other host for anything and needs less than 60 kB", async () => {
  const { hostedUrl } = await partner.createHosted();
  const { context, page } = await openDevice(browser);
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  let bytes = 0;
  network.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const origins = new Set<string>();
  const complaints: string[] = [];
  page.on("console", (message) => void complaints.push(message.text()));
  page.on("request", (request) => void origins.add(new URL(request.url()).origin));
  await page.goto(hostedUrl, { waitUntil: "networkidle" });
  expect([...origins].filter((origin) => origin !== "null")).toEqual([app.httpUrl]);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(60_000);
  const first = bytes;
  bytes = 0;
  await page.goto(`${page.url()}/questions/1`, { waitUntil: "networkidle" });
  // Stylesheet and script are there already.
  expect(bytes).toBeLessThan(first);
  expect(complaints).toEqual([]);
});

test.each(chromiumAlone)(
  "nothing on the page moves while answers are given and saved, or cannot be saved",
  async () => {
    const { sessionId, hostedUrl } = await partner.createHosted();
    // From 9 to 10 answers the count gets wider.
    await partner.record(sessionId, 6, 13);
    for (const [number, device] of [phone, desktop].entries()) {
      const { context, page } = await openDevice(browser, device);
      await page.addInitScript(`
      globalThis.shifts = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.shifts += value;
      }).observe({ type: "layout-shift", buffered: true });
    `);
      await page.goto(hostedUrl);
      await page.goto(`${page.url()}/questions/1`);
      for (let index = 0; index < 5; index += 1) {
        const choices = page.locator("fieldset").nth(index).locator("input[type=radio]");
        await choices.nth(index + number).click();
        await page.locator('.save[data-save="done"] .save-done').waitFor();
      }
      await context.setOffline(true);
      await page.locator("fieldset").first().locator("input[type=radio]").nth(6).click();
      await page.getByText("Not saved yet").waitFor();
      expect(await numberFrom(page, "shifts")).toBe(0);
      // What keeps the place of the widest count is not seen.
      await page.getByText("152 of 152 answered").waitFor({ state: "hidden" });
    }
  },
);

test.each(chromiumAlone)("the dark scheme gives dark pages, without a flash of light", async () => {
  const { hostedUrl } = await partner.createHosted();
  const brightness = (page: Page) =>
    numberFrom(
      page,
      `Math.max(...getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number))`,
    );
  for (const [colorScheme, isDark] of [
    ["dark", true],
    ["light", false],
  ] as const) {
    const { page } = await openDevice(browser, { colorScheme });
    await page.goto(hostedUrl);
    expect((await brightness(page)) < 64).toBe(isDark);
    expect(await page.locator("meta[name=color-scheme]").getAttribute("content")).toBe("light dark");
  }
});

test.each(chromiumAlone)("a printed page has no buttons, and shows every answer, or the circle", async () => {
  const { sessionId, hostedUrl } = await partner.createHosted({ personAccess: "after_completion" });
  await partner.record(sessionId, 1, 152);
  const { page } = await openDevice(browser, desktop);
  await page.goto(hostedUrl);
  await page.goto(`${page.url()}/review`);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("button", { name: "Finish" }).isVisible()).toBe(false);
  expect(await page.locator(".given dd").last().isVisible()).toBe(true);
  expect(await page.locator(".given").count()).toBe(152);
  await partner.complete(sessionId, new Map());
  await page.goto(page.url().replace("/review", ""));
  expect(await page.getByRole("img", { name: "Your circle of values" }).isVisible()).toBe(true);
  expect(await page.getByRole("link", { name: "See your results" }).isVisible()).toBe(false);
});

describe("a small instrument in English, German and Arabic", () => {
  beforeAll(() => partner.publish({ ...translatedDefinition(), product: "values-bridge" }));

  test.each(chromiumAlone)(
    "the pages work without JavaScript as forms, saved page by page, and name what is missing",
    async () => {
      const { sessionId, hostedUrl } = await partner.createHosted();
      const { page } = await openDevice(browser, { javaScriptEnabled: false });
      const press = async (name: string, leadsTo: RegExp) => {
        const isThere = page.waitForURL(leadsTo);
        await page.getByRole("button", { name }).click();
        await isThere;
      };
      await page.goto(hostedUrl);
      await page.getByRole("link", { name: "Start" }).click();
      await page.waitForURL(/questions\/1$/);
      await clickAnswers(page, 1, 5);
      await press("Next", /questions\/2$/);
      // A page that is left back is saved as well.
      await page
        .locator("fieldset")
        .first()
        .locator("input[type=radio]")
        .nth(ratingAt(6, 5) - 1)
        .click();
      await press("Back", /questions\/1$/);
      expect((await storedRatings(app, sessionId)).slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6].map((p) => ratingAt(p, 5)));
      await press("Next", /questions\/2$/);
      // Whoever leaves statements out hears which, is led to the first one, and may go on all the same.
      const texts = await page.locator("fieldset [data-text]").allTextContents();
      await page.getByRole("button", { name: "Next" }).click();
      const notice = page.locator("[data-notice]");
      await notice.waitFor();
      expect(await page.title()).toMatch(/^Not answered yet:/);
      expect(await notice.locator("li").allTextContents()).toEqual(texts.slice(1));
      const focused = page.locator("fieldset", { has: page.locator("input:focus") });
      expect(await focused.locator("[data-text]").textContent()).toBe(texts[1]);
      await press("Go on without answering", /questions\/3$/);
      await page.goto(`${app.httpUrl}/hosted/sessions/${sessionId}/review`);
      await page.getByText("14 statements have no answer yet").waitFor();
      await page.getByRole("link", { name: "Answer them now" }).click();
      await page.waitForURL(/questions\/2$/);
    },
  );

  test("the browser decides the language without a locale, and texts in another language than the page are marked", async () => {
    const { hostedUrl } = await partner.createHosted();
    const { page } = await openDevice(browser, { locale: "ar-EG" });
    await page.goto(hostedUrl);
    const page1 = page.getByRole("heading", { level: 1 });
    expect([await page1.textContent(), await page1.getAttribute("lang"), await page1.getAttribute("dir")]).toEqual([
      "مثال صغير",
      "ar",
      "rtl",
    ]);
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });
});
