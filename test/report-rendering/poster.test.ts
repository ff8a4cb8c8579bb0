// The poster: one page of what people remember, with the logo in its own colour, read out like the report.
import { describe, expect, test } from "vitest";
import { listPosterValues } from "../../src/products/values-bridge/report/headline.ts";
import { createReportModel } from "../../src/products/values-bridge/report/report.ts";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import { type Paper, papers, reportPapers } from "../../src/products/values-bridge/report/report-renderer.ts";
import { createTeamReportModel } from "../../src/products/values-bridge/report/team/team-model.ts";
import { findMotto } from "../../src/products/values-bridge/report/words/mottos.ts";
import { createRendering } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { howMany, inTurns } from "../support/extent.ts";
import { findOverlaps } from "../support/measures/boxes.ts";
import { longestForm, namedForm } from "../support/reports/long-names.ts";
import { type PdfElement, readPdf, textBoxesOf, withRole } from "../support/reports/pdf.ts";
import { logoOf, pixelsOf } from "../support/reports/pixels.ts";
import { answersWith, neutralBranding, randomReports, reportWith } from "../support/reports/reports.ts";
import { busyNumbers, teamInput } from "../support/reports/teams.ts";
import { longForm } from "../support/values-bridge/short-form.ts";
import { inputOf, population } from "../support/values-bridge/simulated-people.ts";

const render = createRendering();
const model = reportWith({ 1: [24, 12], 2: [10, 20], 11: [21, 8], 12: [4, 16], 16: [23, 10] });

const drawing = expect.stringMatching(/^A circle of 19 values\. .* In full colour: /);

const pdfOf = (of: ReportModel, paper: Paper = "a4", logoUrl: string | null = null) =>
  render({
    model: of,
    branding: { ...neutralBranding, displayName: "Acme", logoUrl },
    format: "pdf",
    paper,
    picture: "poster",
  });

const svgOf = async (of: ReportModel, logoUrl: string | null = null) => {
  const branding = { ...neutralBranding, displayName: "Acme", logoUrl };
  return Buffer.from(await render({ model: of, branding, format: "svg", picture: "poster" })).toString();
};

const texts = (elements: readonly PdfElement[], role: string) =>
  withRole(elements, role).map(({ text }) => text.trim());

/** Texts that lie on others, or beyond the page. */
async function misplacedOn(pdf: Uint8Array): Promise<string[]> {
  const { boxes, width, height } = await textBoxesOf(pdf);
  const beyond = boxes.filter(
    ({ left, right, top, bottom }) => left < 15 || right > width - 15 || bottom < 15 || top > height - 15,
  );
  // A PDF is measured from the bottom. Letters of one line may be moved together a little.
  const fromTop = boxes.map((box) => ({ ...box, left: box.left + 1, top: box.bottom, bottom: box.top }));
  return [...beyond.map(({ text }) => text), ...findOverlaps(fromTop)];
}

test.each(inTurns(papers, 2, 0))(
  "no text on %s overlaps another or leaves the page, whatever the names and answers",
  async (paper) => {
    const [answers = []] = population(longestForm(), 1, 3);
    const longest = createReportModel(inputOf(longestForm(), answers, { locales: ["de"] }));
    const reports = [model, longest, ...randomReports(howMany(100, 20), 5)].filter(
      (each) => listPosterValues(each).length > 0,
    );
    expect(reports.length).toBeGreaterThan(15);
    for (const each of reports) expect(await misplacedOn(await pdfOf(each, paper))).toEqual([]);
  },
);

describe.each(papers)("the poster as PDF on %s", (paper) => {
  test("the poster is one page, tagged, with nothing outside of structure and artifacts", async () => {
    const read = await readPdf(await pdfOf(model, paper));
    expect(read).toMatchObject({ pages: 1, marked: true, showsTitle: true, stray: [] });
    expect(read.xmp).toContain("<pdfuaid:part>1</pdfuaid:part>");
    const [title] = withRole(read.elements, "H1");
    expect(title?.text.trim()).toBe("The life I want");
    expect(withRole(read.elements, "Figure").map(({ alt }) => alt)).toEqual([drawing]);
    const sentences = listPosterValues(model).map(({ name }) => findMotto(name));
    expect(texts(read.elements, "H2")).toEqual(sentences);
  });
});

test("a long name is printed whole beside its day", async () => {
  const name = "Prof. Dr. Maximiliane-Theodora von Hohenstaufen-Wittelsbach";
  const named = { ...model, cover: { name, date: "23. November 2026" } };
  const { elements } = await readPdf(await pdfOf(named));
  expect(texts(elements, "P")).toContain(`${name} · 23. November 2026`);
});

test("leading values stand alone on the poster, by sentence and name; without one, those wanted most", async () => {
  const counted = Array.from({ length: 7 }, (_, index) => [index + 1, [24, 20]] as const);
  const report = reportWith(Object.fromEntries(counted));
  const { mostWanted } = report;
  if (mostWanted === null) throw new Error("nothing is wanted most");
  const led = { ...mostWanted, entries: mostWanted.entries.map((each, at) => ({ ...each, leading: at === 1 })) };
  for (const [of, count] of [
    [report, 7],
    [{ ...report, mostWanted: led }, 1],
  ] as const) {
    const { elements } = await readPdf(await pdfOf(of));
    expect(withRole(elements, "H2")).toHaveLength(count);
    const words = texts(elements, "P");
    expect(report.values.filter(({ name }) => words.includes(name.text))).toHaveLength(count);
  }
});

test("the poster shows the life wanted alone: no archetype, no life of today, no doubt and no version", async () => {
  const { elements } = await readPdf(await pdfOf(model));
  const words = elements.map(({ text }) => text).join(" ");
  for (const text of [model.summary.archetype?.name?.text ?? "", "today", "Version"]) expect(words).not.toContain(text);
  const [petals = ""] = /data:image\/svg\+xml;base64,[^"]+/.exec(await svgOf(model)) ?? [];
  const drawn = Buffer.from(petals.slice(petals.indexOf(",") + 1), "base64").toString();
  expect(drawn).toContain('class="m-fill"');
  expect(drawn).not.toMatch(/class="m-(?:over|line|whisker|halo)/);
});

test("a logo is a figure of the PDF with the name of the partner", async () => {
  const read = await readPdf(await pdfOf(model, "a4", logoOf("#e4572e")));
  expect(withRole(read.elements, "Figure").map(({ alt }) => alt)).toEqual([drawing, "Acme"]);
  expect(texts(read.elements, "P")).not.toContain("Acme");
});

test("the PNG has the ratio of A4, and the logo in its own colour", async () => {
  const branding = { ...neutralBranding, displayName: "Acme", logoUrl: logoOf("#e4572e") };
  const { width, height, at } = pixelsOf(await render({ model, branding, format: "png", picture: "poster" }));
  expect([width, height]).toEqual([1200, 1697]);
  // At the foot, in points from the edges.
  const pixel = 1200 / 595.28;
  expect(at(width - pixel * (34 + 10), height - pixel * (34 + 12))).toBe("#e4572e");
});

test("the SVG holds a logo that came with the branding, and loads no other", async () => {
  expect(await svgOf(model, logoOf("#e4572e"))).toMatch(/<image [^>]*href="data:image\/png;base64,/);
  expect(await svgOf(model, "https://example.com/logo.png")).not.toMatch(/image\/png|https:\/\/example/);
});

test("the poster has the step that a person chose, and its name and day at the foot", async () => {
  const steps = { chosen: { step: "Call Ana each day", lookAgainOn: null }, earlier: null };
  const person = { name: "Anna Berger", date: "2026-11-28" };
  for (const paper of papers) {
    const { elements } = await readPdf(await pdfOf(reportWith({ 1: [24, 12], 2: [10, 20] }, { steps, person }), paper));
    const words = texts(elements, "P");
    expect(words).toContain("Call Ana each day");
    expect(words.slice(-2)).toEqual(["Anna Berger · 28 November 2026", "Acme"]);
  }
});

test("a value of a partner's own has its name and meaning on the poster", async () => {
  const definition = namedForm((index) => `Value ${index}`);
  const own = createReportModel(inputOf(definition, answersWith({ 1: [24, 12] })));
  const { elements } = await readPdf(await pdfOf(own));
  expect(texts(elements, "H2")).toEqual(listPosterValues(own).map(({ name }) => name.text));
});

test("answers that choose no value have no poster", async () => {
  await expect(pdfOf(reportWith({}))).rejects.toMatchObject({ code: "not_acceptable" });
});

describe.each(["en", "de"])("reports on groups in %s", (locale) => {
  const team = createTeamReportModel(teamInput(longForm(), { locales: [locale] }));
  const branding = { ...neutralBranding, displayName: "Acme", logoUrl: logoOf("#e4572e") };

  test.each(reportPapers)(
    "a report on a group is two tagged pages on %s, a map and a workshop, with the label as its heading, and the same bytes every time",
    async (paper) => {
      const draw = () => render({ model: team, branding, format: "pdf", paper });
      const bytes = await draw();
      const read = await readPdf(bytes);
      expect(read).toMatchObject({ pages: 2, marked: true, showsTitle: true, stray: [] });
      expect(texts(read.elements, "H1")).toEqual(["Team <North>"]);
      expect(texts(read.elements, "H2")).toEqual(
        [...team.sections.filter(({ entries }) => entries.length > 0), team.workshop].map(({ title }) => title),
      );
      const questions = team.sections.flatMap(({ entries }) => entries.flatMap(({ question }) => question ?? []));
      expect(questions.length).toBeGreaterThan(3);
      const words = read.elements.at(-1)?.text.replace(/\s/g, "") ?? "";
      expect(
        [...questions, ...team.workshop.entries].filter((each) => !words.includes(each.replace(/\s/g, ""))),
      ).toEqual([]);
      expect(withRole(read.elements, "Figure").map(({ alt }) => alt)).toEqual(["Acme", team.picture.description]);
      expect(Buffer.compare(bytes, await draw())).toBe(0);
    },
  );

  test.each(reportPapers)(
    "a report on a group has room on %s for everything that can be said, without overlaps",
    async (paper) => {
      const label = "Leadership Development Programme, Cohort Autumn 2026, Regions North and Central";
      const names = namedForm((index) => `${"Zwischenmenschliche Rücksichtnahmebereitschaft".slice(0, 44)}${index}`);
      for (const form of [longForm(), names]) {
        const busy = createTeamReportModel(teamInput(form, { numbers: busyNumbers(form), label, locales: [locale] }));
        const pdf = await render({ model: busy, branding, format: "pdf", paper });
        const { pages, elements } = await readPdf(pdf);
        expect([pages, texts(elements, "H1")]).toEqual([2, [label]]);
        expect(await misplacedOn(pdf)).toEqual([]);
      }
    },
  );

  test("the PNG of a report on a group has the ratio of A4", async () => {
    const bytes = await render({ model: team, branding, format: "png", picture: "circle" });
    const { width: wide, height: high } = pixelsOf(bytes);
    expect([wide, high]).toEqual([1200, 1697]);
  });
});
