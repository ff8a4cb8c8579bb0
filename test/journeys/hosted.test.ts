// The whole way of a person through the hosted pages, from the link to the report and the partner's site.
import { createRemoteJWKSet, jwtVerify } from "jose";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { catalogues } from "../../src/pages/catalogue/language.ts";
import { bodyOf } from "../e2e/cases/case.ts";
import { clickAnswers, ratingAt, storedRatings } from "../support/browser/answering.ts";
import { violationsOn } from "../support/browser/axe.ts";
import { desktop, openDevice, phone } from "../support/browser/browser.ts";
import type { TestPartner } from "../support/browser/hosted.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile, deploymentOfFile } from "../support/browser/of-file.ts";
import { inExtent } from "../support/extent.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import type { AssessmentBody } from "../support/transports/transports.ts";
import { dimensions } from "./dimensions.ts";
import { expectExact } from "./walk.ts";

const [app, browser] = await Promise.all([deploymentOfFile(), browserOfFile()]);
const [partner, offering] = await Promise.all([addHostedPartner(app), addHostedPartner(app)]);
await offering.brand({ offerLongForm: true });

const hands = {
  "a pointer": {
    device: phone,
    press: (page: Page, selector: string) => page.locator(selector).click(),
    answer: clickAnswers,
  },
  "the keyboard": { device: desktop, press: pressByKeys, answer: answerByKeys },
};

/** Follows the link or presses the button that comes next. */
async function pressByKeys(page: Page, selector: string): Promise<void> {
  await page.keyboard.press("Tab");
  // The choice of a language stands before what a page is for.
  if ((await page.locator("summary:focus").count()) > 0) await page.keyboard.press("Tab");
  await page.locator(selector).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
}

/** Answers the statements of a page by numbers, or by Space and arrows. @returns their number */
async function answerByKeys(page: Page, first: number): Promise<number> {
  // The first stop leads past what every page repeats.
  await pressByKeys(page, "a.skip");
  await page.waitForURL(({ hash }) => hash === "#statements");
  const count = await page.locator("fieldset").count();
  for (let position = first; position < first + count; position += 1) {
    const isByNumber = position % 2 === 0;
    await page.keyboard.press("Tab");
    await page.keyboard.press(isByNumber ? String(ratingAt(position)) : "Space");
    for (let step = 1; !isByNumber && step < ratingAt(position); step += 1) await page.keyboard.press("ArrowRight");
  }
  return count;
}

interface Journey {
  readonly form: string;
  readonly language: string;
  readonly script: "with script" | "without script";
  readonly hand: keyof typeof hands;
  readonly access: string;
  readonly entry: "a link" | "a join code";
}

const isFirefox = inject("browser") === "firefox";
const isSplit = inject("deployment") === "core and gateway";

/** Every form in every language with and without script; hands and what people may see alternate. */
const all = dimensions.language.flatMap((language, l) =>
  dimensions.form.flatMap((form, f) =>
    (["with script", "without script"] as const).map((script, s) => ({
      ...{ language, form, script },
      // Without script, a keyboard is the browser's own.
      hand: script === "with script" && l % 2 === 1 ? ("the keyboard" as const) : ("a pointer" as const),
      access: dimensions.access[(l + s) % dimensions.access.length] ?? "",
      // Both in every language, with and without script.
      entry: f === s ? ("a join code" as const) : ("a link" as const),
      // Few in which every value comes.
      isSample: f === l % dimensions.form.length && s === (l >> 1) % 2,
    })),
  ),
);
const samples = all.filter(({ isSample }) => isSample);
/** Of a short run: other languages in Firefox and at a gateway of its own. */
const few = isFirefox ? [1] : isSplit ? [5] : [0, 3];
const own = inExtent(
  samples,
  samples.filter((_, index) => few.includes(index)),
);
const journeys =
  // Scripts cannot be switched off in Firefox (see `chromiumAlone`), and of a gateway they ask nothing else.
  isFirefox || isSplit ? own.map((each) => ({ ...each, script: "with script" as const })) : inExtent(all, own);

test.each(journeys)(
  "the pages lead through a $form session in $language, $script, by $hand, from $entry to its end ($access)",
  async (journey) => walk(journey),
);

test.each(isFirefox || isSplit ? journeys : journeys.filter(({ form }) => form === "short"))(
  "the last page of a short session leads to the other statements, and they to the end of a long one, in $language, $script, by $hand ($access)",
  async (journey) => walkFurther(journey),
);

/**
 * What the script uses that is younger than the oldest browsers of docs/hosted.md, or that people block; and scripts
 * altogether, where they are younger than the browser.
 */
const lacks: Readonly<Record<string, string>> = {
  "AbortSignal.timeout": "delete AbortSignal.timeout",
  "the submitter of a form": "delete SubmitEvent.prototype.submitter",
  replaceChildren: "delete Element.prototype.replaceChildren",
  cookieStore: "delete globalThis.cookieStore",
  "requests that outlive a page":
    "const send = fetch; globalThis.fetch = (url, { keepalive, ...init }) => send(url, init)",
  "storage of a tab":
    "Object.defineProperty(globalThis, 'sessionStorage', { get() { throw new DOMException('blocked', 'SecurityError') } })",
  "any script that it can read": "",
};

const lacking = inExtent(Object.entries(lacks), []);

test.each(isFirefox || isSplit ? [] : lacking)(
  "the pages lead to the partner in a browser without %s",
  async (name, take) => {
    const [language = "en"] = dimensions.language;
    const journey = {
      form: "short",
      language,
      script: "with script",
      hand: "a pointer",
      access: "none",
      entry: "a link",
    } as const;
    await walk(journey, async (page) => {
      if (take !== "") await page.addInitScript(take);
      else await page.route("**/*.js", (route) => route.fulfill({ body: `no script: ${name}` }));
    });
  },
);

/** @param prepare takes something away from the browser */
async function walk(
  { form, language, script, hand, access, entry }: Journey,
  prepare?: (page: Page) => Promise<unknown>,
) {
  const { device, press } = hands[hand];
  const { questions, ...assessment } = await publishedIn(form, language);
  const ratings = questions.map(({ position }) => ratingAt(position));
  const { page } = await openDevice(browser, { ...device, javaScriptEnabled: script === "with script" });
  await prepare?.(page);
  const pages = pagesIn(language, page);
  if (entry === "a link") {
    const { hostedUrl } = await partner.createHosted({ form, locale: language, personAccess: access });
    await page.goto(hostedUrl);
  } else {
    const { url } = await partner.createJoinCode({ form, personAccess: access });
    await page.goto(`${url}?language=${language}`);
    await pages.shows(pages.texts.joinLead);
    await press(page, "main form button");
  }
  const sessionId = await answerAll(pages, hand, questions.length);
  await leave(pages, { hand, access, sessionId }, partner);
  expect(await storedRatings(app, sessionId)).toEqual(ratings);
  expect(await partner.statusOf(sessionId)).toBe("completed");
  expectExact(await partner.resultsOf(sessionId), { questions, ...assessment }, ratings);
}

/** From a short session over its last page to the end of the long one. */
async function walkFurther({ language, script, hand, access }: Journey) {
  const [short, long] = await Promise.all([publishedIn("short", language), publishedIn("long", language)]);
  const { page } = await openDevice(browser, { ...hands[hand].device, javaScriptEnabled: script === "with script" });
  const pages = pagesIn(language, page);
  const { texts } = pages;
  const { hostedUrl } = await offering.createHosted({ form: "short", locale: language, personAccess: access });
  await page.goto(hostedUrl);
  const shortId = await answerAll(pages, hand, short.questions.length);
  await pages.shows(texts.doneTitle);
  await pages.shows(`${texts.furtherWhy} ${texts.duration.other.replace("{count}", "8")}.`);
  expect(await page.getByRole("link", { name: texts.seeResults }).count()).toBe(access === "none" ? 0 : 1);
  if (script === "with script") expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("button", { name: texts.answerFurther }).click();
  const sessionId = await answerAll(pages, hand, long.questions.length - short.questions.length);
  await leave(pages, { hand, access, sessionId }, offering);
  const shortRatings = short.questions.map(({ position }) => ratingAt(position));
  const ratingByPrompt = new Map(short.questions.map(({ prompt, position }) => [prompt, ratingAt(position)]));
  let count = 0;
  const ratings = long.questions.map(({ prompt }) => {
    if (!ratingByPrompt.has(prompt)) count += 1;
    return ratingByPrompt.get(prompt) ?? ratingAt(count);
  });
  expect([await storedRatings(app, shortId), await storedRatings(app, sessionId)]).toEqual([shortRatings, ratings]);
  expectExact(await offering.resultsOf(shortId), short, shortRatings);
  expectExact(await offering.resultsOf(sessionId), long, ratings);
}

async function publishedIn(form: string, language: string): Promise<AssessmentBody> {
  const transport = restTransport(app.httpUrl);
  const request = { form, locale: language };
  return bodyOf(await transport.getPublishedAssessment({ token: partner.token }, request));
}

/** The pages in a language, and what they show. */
function pagesIn(language: string, page: Page) {
  const texts = catalogues.find((each) => each.language === language)?.texts;
  if (texts === undefined) throw new Error(`there are no pages in ${language}`);
  const shows = async (text: string) => {
    await page.getByText(text, { exact: true }).first().waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe(language);
  };
  return { page, language, texts, shows };
}

type Pages = ReturnType<typeof pagesIn>;

/** From the start page over all statements to the button that finishes the session. @returns its id */
async function answerAll({ page, texts, shows }: Pages, hand: Journey["hand"], count: number): Promise<string> {
  const { press, answer } = hands[hand];
  await shows(texts.start);
  const sessionId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await press(page, "main a.button");
  for (let position = 1; position <= count; ) {
    await page.locator("form[data-answers]").waitFor();
    await page.waitForLoadState();
    if (position === 1 && hand === "a pointer") {
      // Whoever goes on without answers hears what is missing.
      await press(page, "button[value=next]");
      await shows(texts.missingOnPage);
    }
    position += await answer(page, position);
    const before = page.url();
    await press(page, "button[value=next]");
    await page.waitForURL((url) => url.href.split("#")[0] !== before.split("#")[0]);
  }
  await shows(texts.finish);
  await press(page, "form[data-once] button");
  return sessionId;
}

/** From the end to the partner, and to the report where there is one. */
async function leave(
  { page, language, texts, shows }: Pages,
  { hand, access, sessionId }: Pick<Journey, "hand" | "access"> & { readonly sessionId: string },
  of: TestPartner,
): Promise<void> {
  if (access !== "none") {
    await shows(texts.seeResults);
    const circle = page.getByRole("img", { name: texts.circle });
    expect(await circle.evaluate((image: { naturalWidth?: number }) => image.naturalWidth)).toBeGreaterThan(400);
    await hands[hand].press(page, "main a.button");
    await page.waitForURL(`${app.httpUrl}/reports/sessions/${sessionId}`);
    expect(await page.locator("html").getAttribute("lang")).toBe(language);
    await page.goBack();
    await page.locator("main a.quiet").click();
  }
  await expectReturn(page, sessionId, of);
}

async function expectReturn(page: Page, sessionId: string, of: TestPartner): Promise<void> {
  await page.getByRole("heading", { name: "Welcome back at the partner" }).waitFor();
  const url = new URL(page.url());
  expect(`${url.origin}${url.pathname}`).toBe(of.returnUrl.split("?")[0]);
  const { order, completion = "", ...rest } = Object.fromEntries(url.searchParams);
  expect([order, rest]).toEqual(["42", { sessionId, status: "completed" }]);
  const keys = createRemoteJWKSet(new URL(`${app.httpUrl}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(completion, keys, { issuer: app.httpUrl, audience: of.partnerId });
  expect(payload).toMatchObject({ sessionId, status: "completed" });
}
