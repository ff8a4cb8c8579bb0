// The pictures of the README are of pages as they are. With PICTURES=1 they are taken anew.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chooseRating } from "../../src/cli/demo/demo.ts";
import { openDevice } from "../support/browser/browser.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile } from "../support/browser/of-file.ts";
import { appOfFile } from "../support/of-file.ts";

const [app, browser] = await Promise.all([appOfFile(), browserOfFile()]);
const partner = await addHostedPartner(app);

const device = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5 };

/** The page has every word that the README's description of its picture quotes. */
async function expectDescribed(page: Page, name: string): Promise<void> {
  const [, description = ""] =
    new RegExp(`pictures/${name}\\.png"[^>]* alt="([^"]+)"`).exec(readFileSync("README.md", "utf8")) ?? [];
  const quoted = [...description.matchAll(/“((?:[^“”]|“[^“”]*”)*)”/g)].map(([, words = ""]) => words);
  expect(quoted.length).toBeGreaterThan(0);
  const text = (await page.locator("body").innerText()).replaceAll(/\s+/g, " ");
  expect(quoted.filter((words) => !text.includes(words))).toEqual([]);
  if (process.env.PICTURES !== undefined) await page.screenshot({ path: `docs/pictures/${name}.png` });
}

test("the README shows a hosted page with two answers", async () => {
  const { hostedUrl } = await partner.createHosted();
  const { page } = await openDevice(browser, device);
  await page.goto(hostedUrl);
  await page.locator("a.button").click();
  for (const [statement, choice] of [6, 4].entries())
    await page.locator("fieldset").nth(statement).locator("input[type=radio]").nth(choice).click();
  await page.locator(".save-done").waitFor();
  await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
  await expectDescribed(page, "hosted-page");
});

test("the README shows the report of the demo's person", async () => {
  const { sessionId, assessment } = await partner.createHeadless();
  const answers = (assessment?.questions ?? []).flatMap(({ id, valuesBridgeConfig }) =>
    valuesBridgeConfig === null ? [] : [[id, chooseRating({ id, valuesBridgeConfig })] as const],
  );
  await partner.complete(sessionId, new Map(answers));
  const { page } = await openDevice(browser, device);
  await page.goto(await partner.shareReport(sessionId));
  await expectDescribed(page, "report-page");
});
