// The choices of a statement: one row on small screens, easy to hit and named by all their labels; words and all on large ones.
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { desktop, openDevice, phone } from "../support/browser/browser.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile } from "../support/browser/of-file.ts";
import { inExtent } from "../support/extent.ts";
import { appOfFile } from "../support/of-file.ts";
import { translatedDefinition } from "../support/values-bridge/definition.ts";

const [app, browser] = await Promise.all([appOfFile(), browserOfFile()]);
const partner = await addHostedPartner(app);

const labels = [
  "Not at all true",
  "A little true",
  "Partly true",
  "Half and half",
  "Mostly true",
  "Almost completely true",
  "Completely true",
];

/** The statements of the first page, on a device of that width. */
async function openStatements(width: number, options: BrowserContextOptions = {}, locale?: string) {
  const { hostedUrl } = await partner.createHosted(locale === undefined ? {} : { locale });
  const { page } = await openDevice(browser, { ...phone, viewport: { width, height: 740 }, ...options });
  await page.goto(hostedUrl);
  await page.goto(`${page.url()}/questions/1`);
  return page;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const boxesOf = (page: Page, selector: string) =>
  page.evaluate(
    `[...document.querySelectorAll("${selector}")].map((each) => each.getBoundingClientRect().toJSON())`,
  ) as Promise<Box[]>;

/** The labels of the first statement that can be seen. */
const seen = (page: Page) =>
  page.evaluate(`
    [...document.querySelector("fieldset").querySelectorAll(".choice span")]
      .filter((label) => getComputedStyle(label).opacity === "1" && label.getBoundingClientRect().width > 20)
      .map((label) => label.textContent)
  `) as Promise<string[]>;

const radio = (page: Page, choice: number) => page.locator("fieldset").first().locator("input[type=radio]").nth(choice);

describe.each(inExtent([320, 360, 390], [320]))("on a phone of %d px", (width) => {
  test("the seven targets of a statement stand in one row, each 44 points wide and high", async () => {
    const page = await openStatements(width);
    const targets = (await boxesOf(page, "fieldset:first-of-type input[type=radio]")).slice(0, 7);
    expect(new Set(targets.map(({ top }) => top)).size).toBe(1);
    for (const { left, right, top, bottom } of targets) {
      expect(right - left).toBeGreaterThanOrEqual(44);
      expect(bottom - top).toBeGreaterThanOrEqual(44);
    }
    const overlaps = targets.slice(1).filter(({ left }, index) => left < (targets[index]?.right ?? 0) - 0.01);
    expect(overlaps).toEqual([]);
  });

  test("both ends are labelled, the chosen label is shown, and nothing covers anything", async () => {
    const page = await openStatements(width);
    const [first = "", ...rest] = labels;
    const last = rest.at(-1) ?? "";
    expect(await seen(page)).toEqual([first, last]);
    for (const [choice, label] of labels.entries()) {
      await radio(page, choice).click();
      expect(await seen(page)).toEqual([...new Set([first, label, last])]);
      const words = await boxesOf(
        page,
        "fieldset:first-of-type .choice:is(:first-child, :last-child, :has(:checked)) span",
      );
      const targets = await boxesOf(page, "fieldset:first-of-type input[type=radio]");
      expect(Math.max(...words.slice(0, 2).map(({ bottom }) => bottom))).toBeLessThanOrEqual(targets[0]?.top ?? 0);
    }
  });
});

test("each choice has its own label on every screen, visible or not", async () => {
  for (const device of [{ width: 320 }, { width: 1100, ...desktop }]) {
    const page = await openStatements(device.width, "hasTouch" in device ? desktop : {});
    for (const label of labels) expect(await page.getByRole("radio", { name: label, exact: true }).count()).toBe(5);
    expect(await page.getByRole("radio").count()).toBe(35);
  }
});

test.each([
  ["en", "Not at all true", "Completely true"],
  ["es", "Nada cierto", "Del todo cierto"],
])("a visible label chooses its own choice, on one line or two, in %s", async (locale, lowest, highest) => {
  const page = await openStatements(360, {}, locale);
  const statement = page.locator("fieldset").first();
  await statement.getByText(highest, { exact: true }).click();
  expect(await radio(page, 6).isChecked()).toBe(true);
  await statement.getByText(lowest, { exact: true }).click();
  expect(await radio(page, 0).isChecked()).toBe(true);
});

test("a mouse at 400 % shows a label before it chooses", async () => {
  const page = await openStatements(320, { hasTouch: false, isMobile: false });
  await radio(page, 1).click();
  await radio(page, 4).hover();
  expect(await seen(page)).toEqual(["Not at all true", "Mostly true", "Completely true"]);
  await page.mouse.move(1, 1);
  expect(await seen(page)).toEqual(["Not at all true", "A little true", "Completely true"]);
});

test("the middle of the chosen choice looks different from all others in forced colours", async () => {
  const page = await openStatements(390, { forcedColors: "active", hasTouch: false, isMobile: false });
  await radio(page, 2).click();
  await page.mouse.move(1, 1);
  const middle = async (choice: number) => {
    const box = await radio(page, choice).boundingBox();
    if (box === null) throw new Error("the choice is not there");
    const clip = { x: box.x + box.width / 2 - 2, y: box.y + box.height / 2 - 2, width: 4, height: 4 };
    return (await page.screenshot({ clip })).toString("base64");
  };
  expect(await middle(3)).toBe(await middle(4));
  expect(await middle(2)).not.toBe(await middle(3));
});

test("the progress made looks different from what is left in forced colours", async () => {
  const page = await openStatements(390, { forcedColors: "active", hasTouch: false, isMobile: false });
  await page.locator(".progress").evaluate((bar) => {
    bar.setAttribute("value", "76");
  });
  const box = await page.locator(".progress").boundingBox();
  if (box === null) throw new Error("there is no progress");
  const at = async (share: number) => {
    const clip = { x: box.x + share * box.width - 2, y: box.y + box.height / 2 - 1, width: 4, height: 2 };
    return (await page.screenshot({ clip })).toString("base64");
  };
  expect(await at(0.25)).not.toBe(await at(0.75));
});

test("every label stands under its choice on large screens", async () => {
  const page = await openStatements(1100, { ...desktop, viewport: { width: 1100, height: 900 } });
  expect(await seen(page)).toEqual(labels);
  const targets = (await boxesOf(page, ".choice input")).slice(0, 7);
  const words = (await boxesOf(page, ".choice span")).slice(0, 7);
  targets.forEach(({ left, right, bottom }, index) => {
    const word = words[index];
    expect(word?.top).toBeGreaterThanOrEqual(bottom);
    expect(Math.abs((left + right) / 2 - ((word?.left ?? 0) + (word?.right ?? 0)) / 2)).toBeLessThan(1);
  });
});

const long = "Das trifft auf mein Leben, soweit ich es überblicke, nur sehr eingeschränkt zu";

test("a scale of five with long labels has the same row, and no label overlaps a target", async () => {
  const definition = translatedDefinition();
  const [german, arabic] = definition.translations ?? [];
  if (german === undefined || arabic === undefined) throw new Error("two translations");
  const worded = { ...german, labels: german.labels.map((label) => `${long} (${label})`) };
  await partner.publish({ ...definition, product: "values-bridge", translations: [worded, arabic] });
  const page = await openStatements(320, {}, "de");
  const targets = (await boxesOf(page, ".choice input")).slice(0, 5);
  const words = (await boxesOf(page, ".choice span")).slice(0, 5);
  expect(new Set(targets.map(({ top }) => top)).size).toBe(1);
  expect(Math.max(...words.map(({ bottom }) => bottom))).toBeLessThanOrEqual(targets[0]?.top ?? 0);
  const before = (await boxesOf(page, "fieldset"))[1]?.top;
  await radio(page, 2).click();
  expect((await boxesOf(page, "fieldset"))[1]?.top).toBe(before);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
});
