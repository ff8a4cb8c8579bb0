// Answers are saved as they are given, and no reload, other device, lost network or impatient finger loses any.
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { clickAnswers, ratingAt, storedRatings } from "../support/browser/answering.ts";
import { chromiumAlone, desktop, openDevice } from "../support/browser/browser.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile, deploymentOfFile } from "../support/browser/of-file.ts";
import { inTurns } from "../support/extent.ts";

const [app, browser] = await Promise.all([deploymentOfFile(), browserOfFile()]);
const partner = await addHostedPartner(app);

const saved = (page: Page) => page.locator('.save[data-save="done"] .save-done').waitFor();
const notSaved = (page: Page) => page.getByText("Not saved yet – still trying.").waitFor();

/** A session on its first page of statements. */
async function openFirstPage(options: Parameters<typeof openDevice>[1] = {}) {
  const session = await partner.createHosted();
  const device = await openDevice(browser, options);
  await device.page.goto(session.hostedUrl);
  await device.page.getByRole("link", { name: "Start" }).click();
  await device.page.locator("form[data-answers]").waitFor();
  return { ...session, ...device };
}

/** Has something else become of what a page saves. */
const onSave = (page: Page, handle: (route: Route) => Promise<void>) =>
  page.route("**/questions/*", (route) => (route.request().method() === "POST" ? handle(route) : route.continue()));

function chosenOn(page: Page): Promise<string[]> {
  return page
    .locator("fieldset input:checked")
    .evaluateAll((inputs) => inputs.map((input) => String((input as unknown as { value: string }).value)));
}

test("an answer that is given before the script has loaded is saved by it", async () => {
  const { sessionId, page } = await openFirstPage();
  let comes: () => void = () => undefined;
  const script = new Promise<void>((resolve) => {
    comes = resolve;
  });
  await page.route(/\/hosted\/assets\/.*\.js$/, async (route) => {
    await script;
    await route.continue();
  });
  await page.goto(page.url(), { waitUntil: "commit" });
  await page.locator("fieldset").first().locator("input[type=radio]").nth(3).check({ force: true });
  comes();
  await saved(page);
  expect((await storedRatings(app, sessionId))[0]).toBe(4);
});

test("a second browser continues where the first one is, and each sees what the other has saved", async () => {
  const { sessionId, hostedUrl, page } = await openFirstPage();
  await clickAnswers(page, 1);
  await saved(page);
  const other = await openDevice(browser, desktop);
  await other.page.goto(hostedUrl);
  await other.page.getByText("You have answered 5 of 152 statements.").waitFor();
  await other.page.getByRole("link", { name: "Continue where you left off" }).click();
  await other.page.waitForURL(/questions\/2$/);
  await other.page.locator("fieldset").first().locator("input[type=radio]").nth(3).click();
  await saved(other.page);
  await page.goto(hostedUrl);
  await page.getByText("You have answered 6 of 152 statements.").waitFor();
  await page.goto(`${page.url()}/questions/1`);
  expect(await chosenOn(page)).toEqual([1, 2, 3, 4, 5].map((position) => String(ratingAt(position))));
  expect((await storedRatings(app, sessionId)).slice(0, 6)).toEqual([...[1, 2, 3, 4, 5].map((p) => ratingAt(p)), 4]);
});

test("answers wait without a network and say so; with it they are saved, and the person gets where they wanted", async () => {
  const { sessionId, page, context } = await openFirstPage();
  await context.setOffline(true);
  await clickAnswers(page, 1);
  await notSaved(page);
  await page.locator("button[value=next]").click();
  expect(page.url()).toMatch(/questions\/1$/);
  expect(await storedRatings(app, sessionId)).toEqual([]);
  await context.setOffline(false);
  await page.waitForURL(/questions\/2$/);
  expect((await storedRatings(app, sessionId)).slice(0, 5)).toEqual([1, 2, 3, 4, 5].map((p) => ratingAt(p)));
});

test("answers that were not saved yet survive a reload of the page, and are saved after it", async () => {
  const { sessionId, page } = await openFirstPage();
  const dialogTypes: string[] = [];
  page.on("dialog", (dialog) => {
    dialogTypes.push(dialog.type());
    void dialog.accept();
  });
  await onSave(page, (route) => route.abort());
  await clickAnswers(page, 1);
  await notSaved(page);
  await page.reload();
  expect(dialogTypes).toEqual(["beforeunload"]);
  expect(await chosenOn(page)).toHaveLength(5);
  // Not before: the page that is left goes on trying until the next one is there.
  await page.unroute("**/questions/*");
  await saved(page);
  expect((await storedRatings(app, sessionId)).slice(0, 5)).toEqual([1, 2, 3, 4, 5].map((p) => ratingAt(p)));
});

test.each(inTurns(["", "/review"], 2, 1))(
  "an answer that was not saved when the person left by the browser is saved by the page they came to (%j), before they finish",
  async (path) => {
    const { sessionId, page } = await openFirstPage();
    await partner.record(sessionId, 1, 152);
    await page.reload();
    const changed = ((await storedRatings(app, sessionId))[0] ?? 0) === 5 ? 4 : 5;
    page.on("dialog", (dialog) => void dialog.accept());
    await onSave(page, (route) => route.abort());
    await page.locator(`fieldset:first-of-type input[value="${changed}"]`).click();
    await page.goto(page.url().replace("/questions/1", path));
    if (path === "/review") await page.getByRole("button", { name: "Finish" }).click();
    await notSaved(page);
    await page.unroute("**/questions/*");
    await expect.poll(async () => (await storedRatings(app, sessionId))[0]).toBe(changed);
    await page.locator("[data-pending]").waitFor({ state: "hidden" });
    if (path === "") await page.getByRole("link", { name: "Review" }).click();
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByRole("heading", { name: "Welcome back at the partner" }).waitFor();
    expect((await storedRatings(app, sessionId))[0]).toBe(changed);
  },
);

const pauses: readonly (readonly [status: number, form: string, retryAfter: (now: number) => string])[] = [
  [429, "a number of seconds", () => "30"],
  [503, "a number of seconds", () => "30"],
  [503, "a date", (now) => new Date(now + 30_000).toUTCString()],
];

test.each(inTurns(pauses, 3, 0))(
  "answers that meet a %i whose Retry-After is %s are kept, the person is told, and nothing is sent before that",
  async (status, _form, retryAfter) => {
    const { sessionId, page } = await openFirstPage();
    await page.clock.install();
    await page.addInitScript(
      "const send = fetch; globalThis.sent = 0; globalThis.fetch = (...all) => send(...all, (sent += 1));",
    );
    await page.reload();
    const now = Date.now() + 600_000;
    await page.clock.pauseAt(now);
    const headers = { "retry-after": retryAfter(now) };
    await page.route("**/questions/1", (route) => route.fulfill({ status, headers }), { times: 1 });
    const answer = (index: number) => page.locator("fieldset").nth(index).locator("input[type=radio]").nth(2).click();
    await answer(0);
    await page.clock.runFor(350);
    await notSaved(page);
    // Neither another answer nor a page that is looked at again ends the pause.
    await answer(1);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.clock.runFor(28_000);
    expect(await page.evaluate("sent")).toBe(1);
    await page.clock.runFor(2_500);
    await saved(page);
    expect((await storedRatings(app, sessionId)).slice(0, 2)).toEqual([3, 3]);
  },
);

test("the page says that answers are saved only if the server stored as many as it sent", async () => {
  const { page } = await openFirstPage();
  await onSave(page, (route) => route.fulfill({ json: { saved: 0 } }));
  await page.locator("input[type=radio]").nth(2).click();
  await page.getByText("This page is out of date, so the last answers are not saved.").waitFor();
  expect(await page.locator(".save").getAttribute("data-save")).toBe("idle");
});

test("an answer that is changed while it is being saved is saved as changed", async () => {
  const { sessionId, page } = await openFirstPage(desktop);
  const { promise: isChanged, resolve: release } = Promise.withResolvers<void>();
  const { promise: isSending, resolve: sending } = Promise.withResolvers<void>();
  await page.route("**/questions/1", async (route) => {
    sending();
    await isChanged;
    await route.continue();
  });
  const choices = page.locator("fieldset").first().locator("input[type=radio]");
  await choices.nth(1).click();
  await isSending;
  await choices.nth(4).click();
  release();
  await expect.poll(async () => (await storedRatings(app, sessionId))[0]).toBe(5);
});

test("the request with an older answer is cancelled when the person leaves, so that it cannot end over the newer one", async () => {
  const { sessionId, page } = await openFirstPage(desktop);
  await page.addInitScript(`const send = fetch;
    globalThis.fetch = (url, request) => {
      request.signal.addEventListener("abort", () => sessionStorage.setItem("cancelled", request.body));
      return send(url, request);
    };`);
  await page.reload();
  const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
  const { promise: isSending, resolve: sending } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    sending();
    await isLeft;
    await route.abort();
  };
  await page.route("**/questions/1", hold, { times: 1 });
  const choices = page.locator("fieldset").first().locator("input[type=radio]");
  await choices.nth(1).click();
  await isSending;
  await choices.nth(4).click();
  await page.goto(page.url().replace("/questions/1", ""));
  leave();
  expect(await page.evaluate("sessionStorage.getItem('cancelled')")).toMatch(/q-\d+=2$/);
  await expect.poll(async () => (await storedRatings(app, sessionId))[0]).toBe(5);
});

test("the last answer before the page is closed is saved", async () => {
  const { sessionId, page } = await openFirstPage();
  await page.locator("input[type=radio]").nth(4).click();
  await page.close({ runBeforeUnload: true });
  await expect.poll(async () => (await storedRatings(app, sessionId))[0]).toBe(5);
});

test("statements without an answer are named and the first one is focused; the person may still go on", async () => {
  const { page } = await openFirstPage(desktop);
  await page.locator("fieldset").nth(0).locator("input[type=radio]").nth(1).click();
  await page.locator("fieldset").nth(2).locator("input[type=radio]").nth(1).click();
  await page.getByRole("button", { name: "Next" }).click();
  const texts = await page.locator("fieldset [data-text]").allTextContents();
  const missing = [1, 3, 4].map((index) => texts[index]);
  expect(await page.locator("[data-notice] li").allTextContents()).toEqual(missing);
  expect(await page.locator("[role=alert]").isVisible()).toBe(true);
  const focused = page.locator("fieldset", { has: page.locator("input:focus") });
  expect(await focused.locator("[data-text]").textContent()).toBe(texts[1]);
  expect(await focused.getAttribute("aria-describedby")).toBe(await focused.locator(".missing").getAttribute("id"));
  expect(await focused.locator(".missing").isVisible()).toBe(true);
  await page.keyboard.press("Space");
  expect(await page.locator("[data-notice] li").allTextContents()).toEqual(missing.slice(1));
  await page.locator("[data-notice] a").last().click();
  expect(await focused.locator("[data-text]").textContent()).toBe(texts[4]);
  await page.getByRole("button", { name: "Go on without answering" }).click();
  await page.waitForURL(/questions\/2$/);
});

test.each(chromiumAlone)(
  "the next statement appears under the thumb that answered; nothing moves for people who want no motion",
  async () => {
    const { page } = await openFirstPage({ reducedMotion: "no-preference" });
    const scrolled = () => page.evaluate("scrollY") as Promise<number>;
    await page.locator("fieldset").first().locator("input[type=radio]").nth(3).tap();
    await expect.poll(scrolled).toBeGreaterThan(100);
    const top = "document.querySelectorAll('fieldset')[1].getBoundingClientRect().top";
    const bar = "document.querySelector('.bar').getBoundingClientRect().bottom";
    await expect.poll(() => page.evaluate(`${top} - ${bar}`)).toBeGreaterThanOrEqual(0);
    const still = await openFirstPage();
    await still.page.locator("fieldset").first().locator("input[type=radio]").nth(3).tap();
    await saved(still.page);
    expect(await still.page.evaluate("scrollY")).toBe(0);
  },
);

test("a person who returns from the partner sees that all is done, and every link leads to the partner again", async () => {
  const { sessionId, hostedUrl, page } = await openFirstPage(desktop);
  await partner.record(sessionId, 1, 152);
  await page.goto(page.url().replace("questions/1", "review"));
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByRole("heading", { name: "Welcome back at the partner" }).waitFor();
  const done = page.getByRole("heading", { name: "All done. Thank you!" });
  await page.goBack();
  await done.waitFor();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Welcome back at the partner" }).waitFor();
  expect(new URL(page.url()).searchParams.get("status")).toBe("completed");
  await page.goto(hostedUrl);
  await done.waitFor();
  for (const rest of ["/questions/1", "/review"]) {
    await page.goto(`${app.httpUrl}/hosted/sessions/${sessionId}${rest}`);
    await done.waitFor();
  }
});
