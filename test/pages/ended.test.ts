// A session that the partner or its time has ended: its pages end kindly, in the person's language, wherever the person is.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { bodyOf } from "../e2e/cases/case.ts";
import { storedRatings } from "../support/browser/answering.ts";
import { violationsOn } from "../support/browser/axe.ts";
import { chromiumAlone, openDevice } from "../support/browser/browser.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile, deploymentOfFile } from "../support/browser/of-file.ts";
import { inTurns } from "../support/extent.ts";
import { restTransport } from "../support/transports/rest-transport.ts";

const [app, browser] = await Promise.all([deploymentOfFile(), browserOfFile()]);
const partner = await addHostedPartner(app);

const ends = {
  cancelled: {
    english: "You do not need to do anything more",
    german: "Sie müssen nichts weiter tun",
    end: (sessionId: string) => partner.cancel(sessionId),
  },
  expired: {
    english: "The time for this questionnaire is over",
    german: "Die Zeit für diesen Fragebogen ist vorbei",
    end: (sessionId: string) => partner.expire(sessionId),
  },
};

async function expectEnd(page: Page, words: string): Promise<void> {
  await page.getByRole("heading", { name: words }).waitFor();
  expect(await page.locator("a.button, form").count()).toBe(0);
}

describe.each(inTurns(Object.entries(ends), 2, 0))("%s", (name, { english, german, end }) => {
  test("the link and each page of an ended session say so in English and German, and offer only what is possible", async () => {
    for (const [locale, words] of [
      ["en-GB", english],
      ["de-DE", german],
    ] as const) {
      const { sessionId, hostedUrl } = await partner.createHosted();
      const { page } = await openDevice(browser, { locale });
      await page.goto(hostedUrl);
      const start = page.url();
      await end(sessionId);
      for (const path of ["", "/questions/1", "/review"]) {
        expect((await page.goto(start + path))?.status()).toBe(409);
        await expectEnd(page, words);
      }
      expect(await violationsOn(page)).toEqual([]);
      // On another device, for the first time.
      const other = await openDevice(browser, { locale });
      expect((await other.page.goto(hostedUrl))?.status()).toBe(409);
      await expectEnd(other.page, words);
      if (process.env.SCREENSHOTS === "1")
        await other.page.screenshot({ path: `screenshots/ended-${name}-${locale}.png` });
    }
  });

  test("an answer after the end is not stored, and leads to the page that says so", async () => {
    const { sessionId, hostedUrl } = await partner.createHosted();
    const { page } = await openDevice(browser);
    await page.goto(hostedUrl);
    await page.goto(`${page.url()}/questions/1`);
    await end(sessionId);
    await page.locator("fieldset").first().locator("input[type=radio]").nth(3).click();
    await expectEnd(page, english);
    expect((await storedRatings(app, sessionId)).filter((rating) => rating !== null)).toEqual([]);
  });

  test.each(chromiumAlone)("a page that the browser kept alive says so too, once it is shown again", async () => {
    const { sessionId, hostedUrl } = await partner.createHosted();
    const { context, page } = await openDevice(browser);
    // Chromium keeps no page that has stored a cookie.
    await page.addInitScript("delete globalThis.cookieStore");
    const navigations: string[] = [];
    const network = await context.newCDPSession(page);
    await network.send("Page.enable");
    network.on("Page.frameNavigated", ({ type }) => void navigations.push(type));
    await page.goto(hostedUrl);
    await page.goto(`${page.url()}/questions/1`);
    await page.goto(partner.returnUrl);
    await end(sessionId);
    await page.goBack({ waitUntil: "commit" });
    await expectEnd(page, english);
    expect(navigations).toContain("BackForwardCacheRestore");
  });

  test.each(chromiumAlone)(
    "an ended session says so without scripts too, and finishing completes nothing",
    async () => {
      const { sessionId, hostedUrl } = await partner.createHosted();
      await partner.record(sessionId, 1, 152);
      const { page } = await openDevice(browser, { javaScriptEnabled: false });
      await page.goto(hostedUrl);
      await page.goto(`${page.url()}/review`);
      await end(sessionId);
      await page.getByRole("button", { name: "Finish" }).click();
      await expectEnd(page, english);
      expect(await partner.statusOf(sessionId)).toBe(name);
    },
  );
});

test("a reopened session continues where it was", async () => {
  const { sessionId, hostedUrl } = await partner.createHosted();
  await partner.record(sessionId, 1, 20);
  await ends.expired.end(sessionId);
  const { page } = await openDevice(browser);
  await page.goto(hostedUrl);
  await expectEnd(page, ends.expired.english);
  bodyOf(await restTransport(app.httpUrl).reopenSession({ token: partner.token }, sessionId));
  await page.reload();
  await page.getByText("You have answered 20 of 152 statements.").waitFor();
});
