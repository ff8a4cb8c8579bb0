// Reports in a real browser, on screens and on paper: nothing stands in anybody's way, and nothing is asked of anybody.
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { computeContrastRatio } from "../../src/presentation/accent.ts";
import { shortenName } from "../../src/products/values-bridge/report/drawing/wrap.ts";
import { renderReportHtml } from "../../src/products/values-bridge/report/html/report-html.ts";
import { createReportModel } from "../../src/products/values-bridge/report/report.ts";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import { pictureNames } from "../../src/products/values-bridge/report/report-renderer.ts";
import { renderTeamHtml } from "../../src/products/values-bridge/report/team/team-html.ts";
import { createTeamReportModel } from "../../src/products/values-bridge/report/team/team-model.ts";
import { reportCatalogues } from "../../src/products/values-bridge/report/words/language.ts";
import { createRendering } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { violationsOn } from "../support/browser/axe.ts";
import { openDevice } from "../support/browser/browser.ts";
import { browserOfFile } from "../support/browser/of-file.ts";
import { howMany, inExtent, inTurns } from "../support/extent.ts";
import { findOverlaps, type TextBox } from "../support/measures/boxes.ts";
import { hostileNames } from "../support/reports/hostile-names.ts";
import { longestForm, namedForm } from "../support/reports/long-names.ts";
import { readPdf } from "../support/reports/pdf.ts";
import { cautionFlags, qualityWith, randomReports, reportWith } from "../support/reports/reports.ts";
import { busyNumbers, teamInput } from "../support/reports/teams.ts";
import { longForm } from "../support/values-bridge/short-form.ts";
import { inputOf, population } from "../support/values-bridge/simulated-people.ts";

const browser = await browserOfFile();

const points = {
  1: [24, 12],
  2: [10, 20],
  3: [9, null],
  4: [null, null],
  11: [21, 8],
  12: [4, 16],
  16: [23, 10],
} as const;
const sharing = { partner: "Acme Coaching", until: new Date("2026-11-28"), isByLink: true };
const caution = qualityWith({ grade: "caution", flags: cautionFlags }, { values: [], totalGap: null, stability: null });
const tooFast = qualityWith({ grade: "fail", flags: [{ index: "speed", level: "fail" }], secondsPerAnswer: 0.4 });
const [longAnswers = []] = population(longestForm(), 1, 3);

const reports: Readonly<Record<string, ReportModel>> = {
  english: reportWith(points, { sharing, quality: caution }),
  german: reportWith(points, { locales: ["de"] }),
  "long-names": createReportModel(inputOf(longestForm(), longAnswers, { locales: ["de"], sharing, quality: caution })),
  silent: reportWith({}, { support: "Rufen Sie Ana an: 030 1234." }),
  unsorted: reportWith(points, { quality: tooFast }),
};
const names = Object.keys(reports);
const branding = { displayName: "Acme Coaching", accentColor: "#7a1fa2", logoUrl: null };

function modelOf(name: string): ReportModel {
  const model = reports[name];
  if (model === undefined) throw new Error(`no report ${name}`);
  return model;
}

const small = { viewport: { width: 320, height: 640 }, isMobile: false, hasTouch: false, deviceScaleFactor: 1 };
const large = { viewport: { width: 1100, height: 900 }, isMobile: false, hasTouch: false, deviceScaleFactor: 1 };
const address = "http://reports.example/report";

/** Letters of another font have other widths. Fonts are asked for once texts have their places. */
const fontsLoaded = "document.documentElement.getBoundingClientRect(); document.fonts.ready.then(() => undefined)";

/** Opens a text as a page, with whatever else the page asks for, which nobody answers. */
async function show(text: string, device: BrowserContextOptions, contentType = "text/html; charset=utf-8") {
  const { context, page } = await openDevice(browser, device);
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("dialog", (dialog) => complaints.push(dialog.message()));
  await page.route("**/*", (route) => {
    if (route.request().url() === address) return route.fulfill({ body: text, contentType });
    asked.push(route.request().url());
    return route.abort();
  });
  await page.goto(address);
  await page.evaluate(fontsLoaded);
  return { page, asked, complaints, close: () => context.close() };
}

const allCircumstances: readonly (readonly [string, BrowserContextOptions])[] = [
  ["small-light", small],
  ["small-dark", { ...small, colorScheme: "dark" }],
  ["large-light", large],
  ["large-dark", { ...large, colorScheme: "dark" }],
  ["small-forced-colours", { ...small, forcedColors: "active" }],
  ["large-forced-colours", { ...large, forcedColors: "active", colorScheme: "dark" }],
  ["large-more-contrast", { ...large, contrast: "more" }],
];

const circumstances = inExtent(
  allCircumstances,
  allCircumstances.filter(([name]) => ["small-light", "large-dark"].includes(name)),
);

describe.each(circumstances)("in the circumstances %s", (circumstance, device) => {
  const turn = circumstances.findIndex(([name]) => name === circumstance);
  test.each(inTurns(names, circumstances.length, turn))(
    "the report %s is accessible and loads nothing",
    async (name) => {
      const { page, asked, complaints } = await show(renderReportHtml(modelOf(name), branding), device);
      expect(await violationsOn(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect({ asked, complaints }).toEqual({ asked: [], complaints: [] });
    },
  );
});

const longerForm = namedForm((index) => `Zwischenmenschliche Rücksichtnahmebereit ${10 + index}`);
const teams = {
  english: teamInput(longForm()),
  german: teamInput(longForm(), { locales: ["de"], label: "Führungskräfteentwicklungsprogramm Herbst 2026, Nord" }),
  "longer-names": teamInput(longerForm, { numbers: busyNumbers(longerForm), locales: ["de"] }),
};

test.each(
  circumstances.flatMap(([circumstance, device], turn) =>
    inTurns(Object.entries(teams), circumstances.length, turn).map(
      ([name, input]) => [circumstance, name, device, input] as const,
    ),
  ),
)("the team report is accessible in the circumstances %s: %s", async (_circumstance, _name, device, input) => {
  const { page, asked, complaints } = await show(renderTeamHtml(createTeamReportModel(input), branding), device);
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect({ asked, complaints }).toEqual({ asked: [], complaints: [] });
});

test.each(["english", "german"])(
  "on a phone the report %s is at most ten screens, with links to four of its parts and the step after the summary",
  async (name) => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: false, hasTouch: false, deviceScaleFactor: 1 };
    const { page } = await show(renderReportHtml(modelOf(name), branding), phone);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(10 * 844);
    expect(await page.locator(".contents a").count()).toBe(4);
    const places = await page.evaluate(
      "['#summary', '#steps', '#wanted'].map((each) => document.querySelector(each).getBoundingClientRect().top)",
    );
    expect(places).toEqual([...(places as number[])].sort((one, other) => one - other));
  },
);

/** Fill of every visible text of pictures, and the ground behind it. */
const inkOfTexts = `(() => {
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  const shown = [...document.querySelectorAll("svg text")].filter((text) => text.getClientRects().length > 0);
  return shown.map((text) => [text.textContent, getComputedStyle(text).fill, ground]);
})()`;

function hexOf(color: string): string {
  const channels = color.match(/\d+/g)?.slice(0, 3) ?? [];
  return `#${channels.map((channel) => Number(channel).toString(16).padStart(2, "0")).join("")}`;
}

test.each(circumstances)("texts of pictures are legible in the circumstances %s", async (_name, device) => {
  const { page } = await show(renderReportHtml(modelOf("english"), branding), device);
  const inks = (await page.evaluate(inkOfTexts)) as [string, string, string][];
  expect(inks.length).toBeGreaterThanOrEqual(19);
  for (const [text, ink, ground] of inks)
    expect([text, computeContrastRatio(hexOf(ink), hexOf(ground)) >= 4.5]).toEqual([text, true]);
});

/** Headings and texts of the cover that lie on each other, or below it. */
function overlappingParts(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const parts = [...document.querySelectorAll(".cover :is(h1, h2:not(.unseen), p, .circle, .legend):not(details:not([open]) *)")];
    const boxes = parts.map((part) => [part.textContent.slice(0, 30), part.getBoundingClientRect()]);
    const over = boxes.flatMap(([text, one], index) => boxes.slice(index + 1)
      .filter(([, other]) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 2 && other.top < one.bottom - 2)
      .map(([other]) => text + " / " + other));
    const end = document.querySelector(".cover").getBoundingClientRect().bottom;
    return [...over, ...boxes.filter(([, { bottom }]) => bottom > end + 1).map(([text]) => text)];
  })()`);
}

/** Boxes of the names around the circle, as this browser has them. Those of directions are curved along its rim, within it. */
const labelBoxes = `[...document.querySelectorAll(".circle svg text:not(:has(textPath))")].filter((text) => text.getClientRects().length > 0).map((text) => {
  const { left, right, top, bottom, height } = text.getBoundingClientRect();
  return { text: text.textContent, left, right, top: top + height * 0.2, bottom: bottom - height * 0.2 };
})`;

test.each([
  ["a wide page", large, 13],
  ["a phone", small, 9],
] as const)(
  "all names stand around the circle on %s, without overlap and not cut off",
  async (_what, device, least) => {
    const random = randomReports(howMany(20, 1), 77);
    const [answers = []] = population(longerForm, 1, 3);
    const longer = createReportModel(inputOf(longerForm, answers, { locales: ["de"] }));
    const models = [modelOf("english"), modelOf("german"), modelOf("long-names"), longer, ...random];
    for (const model of models) {
      const { page, close } = await show(renderReportHtml(model, branding), device);
      const boxes = (await page.evaluate(labelBoxes)) as TextBox[];
      const joined = squeezed(boxes.map(({ text }) => text).join(""));
      const nameOf = device === small ? shortenName : (name: string) => name;
      expect(model.values.filter(({ name }) => !joined.includes(squeezed(nameOf(name.text))))).toEqual([]);
      expect(findOverlaps(boxes)).toEqual([]);
      const width = device.viewport.width;
      expect(boxes.filter(({ left, right }) => left < 0 || right > width)).toEqual([]);
      expect(await page.evaluate(namePixels)).toBeGreaterThan(least);
      await close();
    }
  },
);

/** Names of directions that are shown: pixels of their font, whether they are whole, and names of values that they touch. */
const directionsShown = `(() => {
  const labels = ${labelBoxes};
  return [...document.querySelectorAll(".circle text:has(textPath)")].filter((text) => text.getClientRects().length > 0).map((text) => {
    const matrix = text.getScreenCTM();
    const path = document.querySelector(text.firstElementChild.getAttribute("href"));
    const boxes = [...text.textContent].map((_, index) => {
      const { x, y, width, height } = text.getExtentOfChar(index);
      const [left, top] = [matrix.a * x + matrix.e, matrix.d * y + matrix.f];
      const [wide, high] = [matrix.a * width, matrix.d * height];
      return { left, right: left + wide, top: top + high * 0.2, bottom: top + high * 0.8 };
    });
    const touched = labels.filter((label) =>
      boxes.some((box) => box.left < label.right && label.left < box.right && box.top < label.bottom && label.top < box.bottom));
    return {
      pixels: Number(text.getAttribute("font-size")) * matrix.a,
      whole: text.getComputedTextLength() <= path.getTotalLength(),
      touched: touched.map((label) => text.textContent + " / " + label.text),
    };
  });
})()`;

test.each(inTurns(reportCatalogues, 3, 1).map(({ language }) => language))(
  "names of directions in %s are legible on the smallest phones, whole, and clear of the names of values",
  async (locale) => {
    const { page } = await show(renderReportHtml(reportWith(points, { locales: [locale] }), branding), small);
    const shown = (await page.evaluate(directionsShown)) as { pixels: number; whole: boolean; touched: string[] }[];
    expect(shown).toHaveLength(4);
    expect(Math.min(...shown.map(({ pixels }) => pixels))).toBeGreaterThanOrEqual(11);
    expect(shown.map(({ whole, touched }) => ({ whole, touched }))).toEqual(
      shown.map(() => ({ whole: true, touched: [] })),
    );
  },
);

const squeezed = (text: string) => text.replace(/[\s-]/g, "");

/** Height of the font of the names that are shown. */
const namePixels = `(() => {
  const text = [...document.querySelectorAll(".circle svg text:not(:has(textPath))")].find((each) => each.getClientRects().length > 0);
  const svg = text.ownerSVGElement;
  return (Number(text.getAttribute("font-size")) * svg.getBoundingClientRect().width) / svg.viewBox.baseVal.width;
})()`;

test.each(names)("no part of the cover of the report %s overlaps another on a wide page", async (name) => {
  const { page } = await show(renderReportHtml(modelOf(name), branding), large);
  expect(await overlappingParts(page)).toEqual([]);
});

test("a page brings its own font, and uses it", async () => {
  const { page } = await show(renderReportHtml(modelOf("german"), branding), large);
  const loaded = `(async () => {
    await document.fonts.ready;
    return [...document.fonts].map(({ family, weight, status }) => [family, weight, status]);
  })()`;
  expect(await page.evaluate(loaded)).toEqual([
    ["Report Sans", "400", "loaded"],
    ["Report Sans", "600", "loaded"],
  ]);
});

describe("on paper", () => {
  const printed = names.flatMap((name, turn) =>
    inTurns(["A4", "Letter"] as const, 2, turn).map((format) => [name, format] as const),
  );
  test.each(inTurns(printed, 3, 0))(
    "the report %s has its cover on one page of %s, and four pages at most",
    async (name, format) => {
      const { page } = await show(renderReportHtml(modelOf(name), branding), large);
      const read = await readPdf(await page.pdf({ format }));
      expect(read.pages).toBeGreaterThanOrEqual(2);
      expect(read.pages).toBeLessThanOrEqual(4);
    },
  );

  test.each(["A4", "Letter"] as const)("a report on a group fits two sheets of %s", async (format) => {
    for (const input of [teams.english, teams.german]) {
      const { page, close } = await show(renderTeamHtml(createTeamReportModel(input), branding), large);
      expect((await readPdf(await page.pdf({ format }))).pages).toBe(2);
      await close();
    }
  });

  test.each(["english", "long-names"] as const)("no mark of %s overlaps a line of the text below it", async (name) => {
    const { page } = await show(renderReportHtml(modelOf(name), branding), large);
    await page.emulateMedia({ media: "print" });
    const rooms = await page.evaluate<number[]>(`[...document.querySelectorAll("tr:has(.behind)")].map((row) => {
      const ends = [...row.querySelectorAll(".track *")].map((mark) => mark.getBoundingClientRect().bottom);
      return row.querySelector(".behind li").getBoundingClientRect().top - Math.max(...ends);
    })`);
    expect(rooms.length).toBeGreaterThan(0);
    expect(Math.min(...rooms)).toBeGreaterThanOrEqual(1);
  });

  test("random people with names of up to 30 characters have a cover without overlaps", async () => {
    const { page } = await show("<!doctype html>", large);
    for (const [index, model] of randomReports(howMany(12, 2), 99).entries()) {
      await page.setContent(renderReportHtml(model, branding));
      await page.evaluate(fontsLoaded);
      expect((await readPdf(await page.pdf({ format: index % 2 ? "A4" : "Letter" }))).pages).toBeLessThanOrEqual(5);
      await page.emulateMedia({ media: "print" });
      expect(await overlappingParts(page)).toEqual([]);
      await page.emulateMedia({ media: null });
    }
  });

  test("marks are printed in a dark scheme as in a light one", async () => {
    const { page } = await show(renderReportHtml(modelOf("english"), branding), { ...large, colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.evaluate(`getComputedStyle(document.querySelector(".lead")).color`)).toBe("rgb(23, 32, 36)");
  });
});

test.each(pictureNames)("%s is sound XML that a page can show as an image", async (picture) => {
  const render = createRendering();
  for (const model of [modelOf("english"), modelOf("long-names")]) {
    const svg = Buffer.from(await render({ model, branding, format: "svg", picture })).toString();
    const { page, asked, complaints, close } = await show(svg, large, "image/svg+xml");
    expect(await page.evaluate("document.documentElement.nodeName")).toBe("svg");
    expect({ asked, complaints }).toEqual({ asked: [], complaints: [] });
    await close();
  }
});

test.each(inTurns(hostileNames, 3, 0))("a partner's name that is %s does nothing", async (_what, displayName) => {
  const model = reportWith(points, { sharing: { ...sharing, partner: displayName } });
  const { page, asked, complaints } = await show(renderReportHtml(model, { ...branding, displayName }), small);
  expect({ asked, complaints }).toEqual({ asked: [], complaints: [] });
  expect(await page.locator("img, script").count()).toBe(0);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(await violationsOn(page)).toEqual([]);
});
