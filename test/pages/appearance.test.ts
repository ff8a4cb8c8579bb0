// Every page, in both colour schemes, on small and large screens, in both directions: nothing stands in anybody's way.
// With SCREENSHOTS=1, pictures of the pages go to `screenshots/`, which is ignored, for people to look at.
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import { addTwinCaller } from "../support/app.ts";
import { violationsOn } from "../support/browser/axe.ts";
import { desktop, openDevice, phone } from "../support/browser/browser.ts";
import type { TestPartner } from "../support/browser/hosted.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile } from "../support/browser/of-file.ts";
import { inExtent, inTurns } from "../support/extent.ts";
import { appOfFile } from "../support/of-file.ts";
import { translatedDefinition } from "../support/values-bridge/definition.ts";

const [app, browser] = await Promise.all([appOfFile(), browserOfFile()]);
const partner = await addHostedPartner(app);
/** Its pages have the mark of test data besides. */
const twin = await addHostedPartner(app, await addTwinCaller(app, partner.partnerId));

/** A page by its name in pictures, and how to get there from wherever the one before has led. */
type Step = readonly [
  view: string,
  go: (page: Page, base: string, of: TestPartner, locale?: string) => Promise<unknown>,
];

const answer = (page: Page, statement: number, choice: number) =>
  page.locator("fieldset").nth(statement).locator("input[type=radio]").nth(choice).click();

/** The whole way, with everything that can be in it. */
const wholeWay: readonly Step[] = [
  ["start", async () => undefined],
  ["questions", (page) => page.locator("a.button").click()],
  [
    "answered",
    async (page) => {
      for (const [index, choice] of [6, 5, 2].entries()) await answer(page, index, choice);
      await page.locator(".save-done").waitFor();
    },
  ],
  ["missing", (page) => page.locator("button[value=next]").click()],
  [
    "not-saved",
    async (page) => {
      await page.context().setOffline(true);
      await answer(page, 3, 1);
      await page.getByText("Not saved yet").waitFor();
    },
  ],
  [
    "saved-again",
    async (page) => {
      await page.context().setOffline(false);
      await page.getByText("Everything is saved again.").waitFor();
    },
  ],
  ["return", (page, base) => page.goto(base)],
  ["review-missing", (page, base) => page.goto(`${base}/review`)],
  ["new-part", (page, base) => page.goto(`${base}/questions/17`)],
  [
    "review",
    async (page, base, of) => {
      await of.record(base.slice(-36), 1, 152);
      await page.goto(`${base}/review`);
    },
  ],
  ["review-open", (page) => page.locator("main summary").click()],
  ["all-answered", (page, base) => page.goto(base)],
  [
    "completed",
    async (page, base, of) => {
      await of.complete(base.slice(-36), new Map());
      await page.goto(base);
    },
  ],
  [
    "report-card",
    async (page, _base, of, locale) => {
      const session = await of.createScored();
      await page.goto(await of.shareReport(session, locale === undefined ? {} : { locale }));
      await page.locator("button[value=share]").click();
      await page.locator("#address").waitFor();
    },
  ],
  ["card", async (page) => page.goto(await page.locator("#address").inputValue())],
  [
    "card-ended",
    async (page) => {
      const address = page.url();
      await page.goBack();
      await page.locator("button[value=remove]").click();
      await page.locator("button[value=share]").waitFor();
      await page.goto(address);
    },
  ],
  ["unknown-link", (page) => page.goto(`${app.httpUrl}/hosted/pas_hl_mistyped`)],
  [
    "expired-link",
    async (page, _base, of) => {
      const { sessionId, hostedUrl } = await of.createHosted();
      await of.expireLinks(sessionId);
      await page.goto(hostedUrl);
    },
  ],
  [
    "no-visit",
    async (page, base) => {
      await page.context().clearCookies();
      await page.goto(base);
    },
  ],
];

const cardViews = ["report-card", "card", "card-ended"];
const mainViews = ["start", "questions", "missing", "review", "completed", ...cardViews];

const isTooWide = "document.documentElement.scrollWidth > innerWidth";

/** Walks the way, and collects what stands in people's way on each page. */
async function walk(
  name: string,
  device: BrowserContextOptions,
  locale: string | undefined,
  steps: readonly Step[],
  of = partner,
): Promise<Record<string, string[]>> {
  const { hostedUrl } = await of.createHosted({ personAccess: "after_completion", ...(locale && { locale }) });
  const { page } = await openDevice(browser, device);
  const faults: Record<string, string[]> = {};
  await page.goto(hostedUrl);
  const base = page.url();
  for (const [view, go] of steps) {
    await go(page, base, of, locale);
    if (process.env.SCREENSHOTS === "1") await page.screenshot({ path: `screenshots/${name}-${view}.png` });
    faults[view] = [...((await page.evaluate(isTooWide)) ? ["is too wide"] : []), ...(await violationsOn(page))];
  }
  return faults;
}

const phones = [
  ["phone-light", phone],
  ["phone-dark", { ...phone, colorScheme: "dark" }],
] as const;
const others = [
  ["desktop-light", desktop],
  ["desktop-dark", { ...desktop, colorScheme: "dark" }],
  ["narrow-forced-colours", { ...phone, viewport: { width: 320, height: 640 }, forcedColors: "active" }],
  ["desktop-forced-colours-dark", { ...desktop, forcedColors: "active", colorScheme: "dark" }],
  ["desktop-at-200-percent", { ...desktop, viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }],
] as const;
/** As partners choose them: too light for text, that of warnings, nearly black. */
const accents = ["#f5b400", "#d4351c", "#14141f"] as const;

const nothingOn = (steps: readonly Step[]) => Object.fromEntries(steps.map(([view]) => [view, []]));
const mainSteps = wholeWay.filter(([view]) => mainViews.includes(view));

test.each(inExtent(phones, phones.slice(0, 1)))(
  "every page is accessible on %s: the whole way",
  async (name, device) => {
    expect(await walk(name, device, undefined, wholeWay)).toEqual(nothingOn(wholeWay));
  },
);

test.each(inExtent(others, others.slice(2, 3)))(
  "every page is accessible on %s: the main pages, with the mark of test data",
  async (name, device) => {
    await twin.brand({ displayName: "The Quite Extraordinarily Long Name of a Partner" });
    expect(await walk(name, device, undefined, mainSteps, twin)).toEqual(nothingOn(mainSteps));
  },
);

test.each(inTurns(accents, 3, 0))(
  "every page is accessible in German, for a partner with a logo and the colour %s",
  async (accentColor) => {
    const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32"><circle cx="16" cy="16" r="14" fill="#f5b400"/><text x="38" y="22" font-family="sans-serif" font-size="18" fill="#333">Sonnental</text></svg>`;
    const logoUrl = `data:image/svg+xml;base64,${Buffer.from(logo).toString("base64")}`;
    await partner.brand({ displayName: "Sonnental", logoUrl, accentColor });
    const dark = { ...desktop, colorScheme: "dark" } as const;
    const germans = [["phone-german", phone] as const, ["desktop-german-dark", dark] as const];
    for (const [name, device] of inTurns(germans, 2, 0)) {
      expect(await walk(name, device, "de-AT", mainSteps)).toEqual(nothingOn(mainSteps));
    }
  },
);

test.each(inExtent(["es", "fr", "it", "nl"], []))(
  "every page is accessible in %s, on the smallest phones",
  async (language) => {
    const small = { ...phone, viewport: { width: 320, height: 640 } };
    expect(await walk(`phone-${language}`, small, language, mainSteps)).toEqual(nothingOn(mainSteps));
  },
);

test("every page is accessible with an instrument in Arabic", async () => {
  await partner.publish({ ...translatedDefinition(), product: "values-bridge" });
  // Answers to that instrument name no value that a picture could show.
  const steps = mainSteps.filter(([view]) => !cardViews.includes(view));
  expect(await walk("phone-arabic", phone, "ar", steps, twin)).toEqual(nothingOn(steps));
});
