// The circle shows the numbers of the report: they are read back out of it.
import { describe, expect, test } from "vitest";
import { arrangeNames, toCircle } from "../../../../src/products/values-bridge/report/drawing/circle.ts";
import type { TextMark } from "../../../../src/products/values-bridge/report/drawing/marks.ts";
import { toRadius } from "../../../../src/products/values-bridge/report/drawing/petals.ts";
import { computeTextWidth } from "../../../../src/products/values-bridge/report/drawing/text-width.ts";
import { renderReportHtml } from "../../../../src/products/values-bridge/report/html/report-html.ts";
import { createReportModel } from "../../../../src/products/values-bridge/report/report.ts";
import type { ReportModel, ReportValue } from "../../../../src/products/values-bridge/report/report-model.ts";
import { createRendering } from "../../../../src/products/values-bridge/report-rendering/render-task.ts";
import { howMany } from "../../../support/extent.ts";
import { findOverlaps, type TextBox } from "../../../support/measures/boxes.ts";
import { longestForm } from "../../../support/reports/long-names.ts";
import { neutralBranding, randomReports, reportWith } from "../../../support/reports/reports.ts";
import { elementsOf, numbersIn, outerRadiusOf } from "../../../support/reports/svg.ts";
import { largestDefinition } from "../../../support/values-bridge/definition.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import { inputOf, population } from "../../../support/values-bridge/simulated-people.ts";

const reports = randomReports(howMany(500, 120), 4711);
const nearly = 4;

/** The score that a radius of the circle stands for. */
const scoreAt = (radius: number) => (radius - 52) / 170;

/** Radius of what is at least 4 high. */
const visible = (from: number, to: number) => Math.max(to, from + 4);

/** Compares shapes of a class with the values that should have one. */
function compare(
  svg: string,
  role: string,
  values: readonly ReportValue[],
  radius: (value: ReportValue) => number,
): void {
  const radii = elementsOf(svg, `m-${role}`).map(({ attributes }) => outerRadiusOf(attributes.d));
  expect(radii).toHaveLength(values.length);
  for (const [index, value] of values.entries()) expect(radii[index]).toBeCloseTo(radius(value), 2);
}

/** The same of two classes: of those in full colour, and of the pale others. */
function compareBoth(
  svg: string,
  [full, pale]: readonly [string, string],
  values: readonly ReportValue[],
  isFull: (value: ReportValue) => boolean,
  radius: (value: ReportValue) => number,
): void {
  compare(svg, full, values.filter(isFull), radius);
  compare(
    svg,
    pale,
    values.filter((value) => !isFull(value)),
    radius,
  );
}

/** Without its legend, which has one shape of each class. */
function drawCircle(model: ReportModel): string {
  const [, petals = ""] = /<g id="petals">(.*?)<\/g>/s.exec(renderReportHtml(model, neutralBranding)) ?? [];
  return petals;
}

test("every radius of every petal is the score of its value, linear from the hole to the rim", () => {
  expect([toRadius(0), toRadius(0.5), toRadius(1)]).toEqual([52, 137, 222]);
  for (const model of reports) {
    const svg = drawCircle(model);
    const scoresOf = (value: ReportValue) => [value.ideal.score, value.current.score] as const;
    const where = (pick: (ideal: number | null, current: number | null) => boolean) =>
      model.values.filter((value) => pick(...scoresOf(value)));
    const scoreOf = ({ ideal, current }: ReportValue) => ({ ideal: ideal.score ?? 0, current: current.score ?? 0 });

    const wanted = where((ideal) => ideal !== null);
    const isAny = model.values.some(({ mostWanted }) => mostWanted);
    const isFirst = ({ mostWanted }: ReportValue) => mostWanted || !isAny;
    const isNamed = ({ gap }: ReportValue) => gap?.named === true;
    compareBoth(svg, ["line", "paleLine"], wanted, isFirst, (value) => toRadius(scoreOf(value).ideal));
    compare(svg, "halo", wanted, (value) => toRadius(scoreOf(value).ideal));
    elementsOf(svg, "m-halo").forEach(({ attributes }, index) => {
      expect(scoreAt(outerRadiusOf(attributes.d))).toBeCloseTo(wanted[index]?.ideal.score ?? Number.NaN, nearly);
    });
    compareBoth(
      svg,
      ["fill", "paleFill"],
      where((_, current) => current !== null),
      isFirst,
      (value) => {
        const { ideal, current } = scoreOf(value);
        return visible(52, toRadius(value.ideal.score === null ? current : Math.min(ideal, current)));
      },
    );
    const less = where((ideal, current) => ideal !== null && current !== null && current < ideal);
    compareBoth(svg, ["tint", "paleTint"], less, isNamed, (value) => visible(52, toRadius(scoreOf(value).ideal)));
    const more = where((ideal, current) => ideal !== null && current !== null && current > ideal);
    compareBoth(svg, ["over", "paleOver"], more, isNamed, (value) => {
      const { ideal, current } = scoreOf(value);
      return visible(toRadius(ideal), toRadius(current));
    });
    compare(
      svg,
      "missing",
      where((_, current) => current === null).filter((value) => value.current.score === null),
      (value) => (value.ideal.score === null ? 62 : visible(52, toRadius(value.ideal.score))),
    );
  }
});

test("petals follow the order of the circle, clockwise from the top, all of one width", () => {
  const model = reportWith({}, {}, [18, 12]);
  const lines = elementsOf(drawCircle(model), "m-line").map(({ attributes }) => numbersIn(attributes.d));
  lines.forEach(([x1 = 0, y1 = 0, , , , , , x2 = 0, y2 = 0], index) => {
    const middle = Math.atan2((x1 + x2) / 2, -(y1 + y2) / 2);
    const expected = (2 * Math.PI * index) / 19;
    expect(Math.cos(middle - expected)).toBeCloseTo(1, 6);
    expect(Math.hypot(x2 - x1, y2 - y1)).toBeCloseTo(Math.hypot(...diagonal(lines[0])), 1);
  });
});

function diagonal(line: readonly number[] | undefined): [number, number] {
  const [x1 = 0, y1 = 0, , , , , , x2 = 0, y2 = 0] = line ?? [];
  return [x2 - x1, y2 - y1];
}

/** What a line of text takes up: from the height of capitals to a little below the baseline. */
function boxOf({ text, x, y, size, anchor }: TextMark): TextBox {
  const width = computeTextWidth(text, size);
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { text, left, right: left + width, top: y - 0.75 * size, bottom: y + 0.2 * size };
}

describe("names around the circle", () => {
  const setting = { size: 15, halfWidth: 372, rimSize: 13 };
  const german = population(longForm(), 60, 3).map((answers) =>
    createReportModel(inputOf(longForm(), answers, { locales: ["de"] })),
  );
  const [longestAnswers = []] = population(longestForm(), 1, 3);
  const longest = createReportModel(inputOf(longestForm(), longestAnswers));

  test.each([
    ["of up to 30 characters", reports],
    ["in German", german],
    ["of 30 characters each", [longest]],
  ])("%s do not overlap, and stay within the picture", (_name, models) => {
    for (const model of models) {
      const { labels, box } = arrangeNames(toCircle(model), setting);
      const [left, top, right, bottom] = box;
      const boxes = labels.map(boxOf);
      expect(findOverlaps(boxes)).toEqual([]);
      expect(boxes.filter((each) => each.left < left || each.right > right)).toEqual([]);
      expect(boxes.filter((each) => each.top < top || each.bottom > bottom)).toEqual([]);
      expect(boxes.filter(touchesRim)).toEqual([]);
    }
  });

  test("every name is written whole, in lines that can be read on", () => {
    for (const model of [...german, longest]) {
      const { labels } = arrangeNames(toCircle(model), setting);
      const letters = (text: string) => text.replace(/[\s-]/g, "");
      const words = labels
        .map(({ text }) => letters(text))
        .sort()
        .join("");
      expect([...words].sort()).toEqual([...model.values.map(({ name }) => letters(name.text)).join("")].sort());
    }
  });

  test("names of the values wanted most are bold", () => {
    const model = reportWith({ 1: [24, 24], 2: [22, 22], 3: [20, 20], 4: [20, 20], 5: [19, 19] });
    const { labels } = arrangeNames(toCircle(model), setting);
    const bold = labels.filter(({ role }) => role === "strong").map(({ text }) => text);
    expect(bold.toSorted()).toEqual(["Accomplishment", "Enjoyment", "Free Thinking", "Independence", "Novelty"]);
  });

  test("as many names as a definition may have lie apart", () => {
    const definition = largestDefinition();
    const many = createReportModel(inputOf(definition, population(definition, 1, 3)[0] ?? []));
    const { labels } = arrangeNames(toCircle(many), setting);
    expect(labels.length).toBeGreaterThanOrEqual(many.values.length);
    expect(findOverlaps(labels.map(boxOf))).toEqual([]);
  });
});

/** Whether a box reaches into the rim. */
function touchesRim({ left, right, top, bottom }: TextBox): boolean {
  const x = Math.max(left, Math.min(0, right));
  const y = Math.max(top, Math.min(0, bottom));
  return Math.hypot(x, y) < 222;
}

describe("tracks of differences", () => {
  test("marks are at the scores on every track", () => {
    for (const model of reports) {
      const byId = new Map(model.values.map((value) => [value.valueId, value]));
      const values = model.differences.groups.flatMap(({ valueIds }) => valueIds.flatMap((id) => byId.get(id) ?? []));
      const wanted = values.flatMap(({ ideal }) => ideal.score ?? []);
      const lived = values.flatMap(({ current }) => current.score ?? []);
      const page = tableOf(model);
      const scores = (role: string) =>
        elementsOf(page, `m-${role}`).map(
          ({ attributes: { d = "", cx } }) => Number.parseFloat(cx ?? d.slice(1)) / 300,
        );
      expectAll(scores("barLine"), wanted);
      expectAll(scores("dot"), lived);
    }
  });

  /** The table of a page, without the legend beside it. */
  function tableOf(model: ReportModel): string {
    const page = renderReportHtml(model, neutralBranding);
    return page.slice(page.indexOf("<table"));
  }

  function expectAll(found: readonly number[], wanted: readonly number[]): void {
    expect(found).toHaveLength(wanted.length);
    for (const [index, each] of wanted.entries()) expect(found[index]).toBeCloseTo(each, 3);
  }

  test("a bar leads from one life to the other, hatched if more is lived than wanted", () => {
    const model = reportWith({ 1: [20, 8], 2: [4, 16] });
    const page = tableOf(model);
    const ends = (role: string) =>
      elementsOf(page, `m-${role}`).map(({ attributes }) => {
        // Its upper edge, without the round corners.
        const [, from, to] = /^M([\d.]+),\S+?L([\d.]+),/.exec(attributes.d ?? "") ?? [];
        return [Number(from) - 2, Number(to) + 2].map((x) => Math.round((24 * x) / 300));
      });
    expect(ends("bar")).toEqual([[8, 20]]);
    expect(ends("barOver")).toEqual([[4, 16]]);
  });
});

test("no page contains NaN", () => {
  for (const model of reports) {
    expect(renderReportHtml(model, neutralBranding)).not.toMatch(/NaN|Infinity|undefined|null|\[object/);
  }
});

test("a picture names all values by group with their steps, for those who do not see it", async () => {
  const model = reportWith({ 1: [20, 8], 2: [4, 16], 3: [12, null] });
  const render = createRendering();
  const svg = Buffer.from(await render({ model, branding: neutralBranding, format: "svg" })).toString();
  expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="title desc" lang="en" /);
  expect(svg).toContain(
    "A circle of 19 values. You want more of this: Free Thinking (3 points more wanted). Higher for today than for the life you want: Independence (3 points higher for today).",
  );
  expect(svg).toContain("Too few answers: Novelty.");
});
