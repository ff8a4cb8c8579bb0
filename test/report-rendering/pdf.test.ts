// A PDF says what the report says, in an order that can be read out, and is the same file every time.
import { beforeAll, describe, expect, test } from "vitest";
import { findHeadlineTopic, writeHeadline } from "../../src/products/values-bridge/report/headline.ts";
import { createReportModel } from "../../src/products/values-bridge/report/report.ts";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import { reportCatalogues } from "../../src/products/values-bridge/report/words/language.ts";
import { createRendering, type RenderingTask } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { samples } from "../../tools/pictures/samples.ts";
import { howMany } from "../support/extent.ts";
import { hostileNames } from "../support/reports/hostile-names.ts";
import { longestForm, namedForm } from "../support/reports/long-names.ts";
import { type PdfContents, type PdfElement, readPdf, withRole } from "../support/reports/pdf.ts";
import { checkPdf, unpackedPdf } from "../support/reports/qpdf.ts";
import {
  answersWith,
  cautionFlags,
  neutralBranding,
  qualityWith,
  randomReports,
  reportWith,
} from "../support/reports/reports.ts";
import { provide } from "../support/run/programs.ts";
import { longForm } from "../support/values-bridge/short-form.ts";
import { inputOf, population } from "../support/values-bridge/simulated-people.ts";

const render = createRendering();
const papers = ["a4", "letter"] as const;

function pdfOf(model: ReportModel, more: Partial<RenderingTask> = {}): Promise<Uint8Array> {
  return render({ model, branding: neutralBranding, format: "pdf", paper: "a4", ...more } as RenderingTask);
}

/** A report with every part that there is, and no two sentences alike. */
const full = reportWith(
  { 1: [24, 12], 2: [10, 20], 3: [9, null], 11: [21, 8], 12: [4, 16], 15: [22, 22], 16: [23, 10], 17: [20, 13] },
  { quality: qualityWith({ grade: "caution", flags: cautionFlags }) },
);

/** A report in German by a definition that has no translation into it. */
function untranslated(): ReportModel {
  const answers = answersWith({ 1: [24, 12], 2: [10, 20], 15: [22, 21] });
  return createReportModel(inputOf({ ...longForm(), translations: [] }, answers, { locales: ["de"] }));
}

const texts = (elements: readonly PdfElement[], role: string) => withRole(elements, role).map(({ text }) => text);
/** What is said of the values of a report, row by row. */
function saidOfValues({ differences, values }: ReportModel): string[] {
  const byId = new Map(values.map((value) => [value.valueId, value]));
  return differences.groups.flatMap(({ valueIds }) =>
    valueIds.map((id) => {
      const { name, standing, difference, statements } = byId.get(id) ?? {};
      const behind = statements?.map(({ text, standing: rated }) => `${text.text}: ${rated}`) ?? [];
      return squeezed([name?.text, standing, difference, ...behind].join(" "));
    }),
  );
}

/** Rows of values, which have no head of a column; those with statements take two. */
const rowsOf = (elements: readonly PdfElement[]) =>
  withRole(elements, "TR").filter(({ children, text }) => text !== "" && children.every(({ role }) => role === "TD"));

/** The name of the archetype, if it is not the headline. */
const nameBelow = (model: ReportModel) => {
  const name = model.summary.archetype?.name ?? null;
  return name?.text === writeHeadline(model)?.text ? null : name;
};

const squeezed = (text: string) => text.replace(/[\s-]/g, "");

test.each(papers)(
  "each page with rows on %s shows the ends of their scale, and one page how to read it",
  async (paper) => {
    for (const model of randomReports(howMany(24, 3), 41)) {
      const read = await readPdf(await pdfOf(model, { paper }));
      // The reader has an element of the document for each page; heads that are repeated are artifacts.
      const pages = read.elements.filter((page) => rowsOf([page]).length > 0);
      for (const { text } of [model.scale.lowest, model.scale.highest]) {
        const heads = [...texts(read.elements, "TH"), ...read.artifacts].filter((each) => each.includes(text));
        expect([text, heads.length]).toEqual([text, pages.length]);
      }
      expect(read.elements.filter(({ text }) => text.includes(model.reading.title))).toHaveLength(1);
    }
  },
);

describe.each([
  [
    "of a person",
    reportWith({ 1: [24, 12], 2: [10, 20], 3: [9, null], 11: [21, 8], 12: [4, 16], 15: [22, 22], 16: [23, 10] }),
  ],
  ["in German", reportWith({ 1: [24, 12], 2: [10, 20], 11: [21, 8], 12: [4, 16] }, { locales: ["de"] })],
  ["in German with values in English", untranslated()],
  ["with words of caution", full],
])("the PDF %s", (_name, model) => {
  let read: PdfContents;
  beforeAll(async () => {
    read = await readPdf(await pdfOf(model));
  });

  test("the PDF has the numbers and words of every value in rows of its own", () => {
    const said = rowsOf(read.elements).map(({ text }) => squeezed(text));
    expect(said.join("")).toBe(saidOfValues(model).join(""));
    expect(said.length).toBe(model.values.reduce((sum, { statements }) => sum + (statements.length === 0 ? 1 : 2), 0));
  });

  test("the PDF has every sentence of the report, whole and in its order", () => {
    const { title, introduction, summary, picture, mostWanted, differences, pairs, questions, reading, source } = model;
    const { change, support, steps } = model;
    const sentences = [
      title.text,
      findHeadlineTopic(model) ?? "",
      writeHeadline(model)?.text ?? "",
      summary.archetype?.summary.text ?? "",
      ...summary.highlights.map(({ text }) => text),
      ...(picture?.legend.map(({ text }) => text) ?? []),
      picture?.introduction ?? "",
      picture?.notes.join("") ?? "",
      summary.title,
      ...summary.sentences,
      nameBelow(model)?.text ?? "",
      ...(summary.archetype?.between.map(({ name, text }) => `${name.text}: ${text}`) ?? []),
      ...(summary.archetype?.notes ?? []),
      introduction,
      mostWanted?.title ?? "",
      ...(mostWanted?.entries.flatMap(({ text, portrait }) => [
        ...(portrait === null ? [] : [portrait.high, portrait.cost, portrait.question]),
        text ?? "",
      ]) ?? []),
      mostWanted?.closeBehind?.text ?? "",
      pairs?.title ?? "",
      ...(pairs?.kinds.flatMap(({ note }) => note) ?? []),
      change?.title ?? "",
      ...(change?.entries.map(({ text }) => text) ?? []),
      differences.title,
      differences.note,
      ...(questions?.entries ?? []),
      ...(steps?.offers.flatMap(({ text, steps: each }) => [text, ...each]) ?? []),
      support?.title ?? "",
      support?.text ?? "",
    ];
    const said = squeezed(read.elements.map(({ text }) => text).join(" "));
    let at = 0;
    for (const sentence of sentences.map(squeezed)) {
      const found = said.indexOf(sentence, at);
      expect([sentence, found >= at]).toEqual([sentence, true]);
      at = found + sentence.length;
    }
    // How to read it stands where there is room for it.
    expect(said.replaceAll("•", "")).toContain(squeezed([reading.title, ...reading.entries, ...source].join("")));
  });

  test("the PDF has headings without jumps, lists of items, tables of rows", () => {
    const ranks = headingRanks(read.elements);
    expect(ranks[0]).toBe(1);
    expect(ranks.filter((rank) => rank === 1)).toHaveLength(1);
    expect(ranks.slice(1).filter((rank, index) => rank - (ranks[index] ?? 0) > 1)).toEqual([]);
    for (const list of withRole(read.elements, "L"))
      expect(new Set(list.children.map(({ role }) => role))).toEqual(new Set(["LI"]));
    for (const item of withRole(read.elements, "LI")) expect(item.children.at(-1)?.role).toBe("LBody");
    for (const table of withRole(read.elements, "Table"))
      for (const { role, children } of table.children) {
        expect(["THead", "TBody"]).toContain(role);
        expect(new Set(children.map((row) => row.role))).toEqual(new Set(["TR"]));
      }
  });

  test("the PDF has one figure, whose alternative text names all values", () => {
    const figures = withRole(read.elements, "Figure");
    expect(figures.map(({ alt }) => alt)).toEqual([model.picture?.description]);
    for (const { name } of model.values) expect(figures[0]?.alt).toContain(name.text);
  });

  test("the PDF draws nothing outside of structure and artifacts; of texts, only page numbers, repeated heads and names around the circle are artifacts", () => {
    expect(read.stray).toEqual([]);
    const { scale, differences } = model;
    const heads = [scale.lowest.text, scale.highest.text, differences.columns.value, differences.columns.difference];
    const repeated = new Set([...heads, ...differences.groups.map(({ title }) => title)]);
    // Those of directions are set letter by letter.
    const names = [...model.values.map(({ name }) => name.text), ...model.picture.directions.map(({ text }) => text)];
    const around = names.join("\n");
    const said = read.artifacts
      .map((text) => text.trim())
      .filter((text) => text !== "" && !repeated.has(text) && !around.includes(text.replace(/-$/, "")));
    expect(said.filter((text) => !/^(?:Page|Seite) \d (?:of|von) \d$/.test(text))).toEqual([]);
    expect(said).toHaveLength(read.pages);
  });

  test("the PDF names its language and that of texts in another one", () => {
    expect(read.info.Language).toBe(model.language);
    const goals = model.mostWanted?.entries.length ?? 0;
    const foreign = withRole(read.elements, "P").filter(({ lang }) => lang !== undefined && lang !== model.language);
    const isTranslated = model.values.every(({ goal }) => goal.language === model.language);
    expect(foreign.map(({ lang }) => lang)).toEqual(Array(isTranslated ? 0 : goals).fill("en"));
  });

  test("the PDF says that it conforms to PDF/UA-1, and shows its title", () => {
    expect(read).toMatchObject({ marked: true, showsTitle: true, info: { Title: model.title.text } });
    expect(read.xmp).toContain("<pdfuaid:part>1</pdfuaid:part>");
    expect(read.xmp).toContain(model.title.text);
  });
});

function headingRanks(elements: readonly PdfElement[]): number[] {
  return elements.flatMap(({ role, children }) => {
    const [, rank] = /^H([1-6])$/.exec(role) ?? [];
    return [...(rank === undefined ? [] : [Number(rank)]), ...headingRanks(children)];
  });
}

describe("the file of a PDF", () => {
  let qpdf: string;
  beforeAll(async () => {
    qpdf = await provide("qpdf");
  });

  test.each(papers)("the file on %s is sound", async (paper) => {
    const { code, said } = await checkPdf(qpdf, await pdfOf(full, { paper }));
    expect([code, said]).toEqual([0, expect.stringContaining("No syntax or stream encoding errors found")]);
  });

  test("the file has heads of columns, the frame of the figure, and embedded fonts whose text can be copied", async () => {
    const file = await unpackedPdf(qpdf, await pdfOf(full));
    const count = (pattern: RegExp) => [...file.matchAll(pattern)].length;
    expect(count(/\/Scope \/Column/g)).toBe(3 + full.differences.groups.length);
    expect(file).toMatch(/\/BBox \[\s*\d[^\]]*\]/);
    const fonts = count(/\/Subtype \/Type0/g);
    expect([fonts, count(/\/FontFile[23]? /g), count(/\/ToUnicode /g)]).toEqual([fonts, fonts, fonts]);
    expect(fonts).toBeGreaterThan(1);
    expect(count(/\/Subtype \/Type1\b/g)).toBe(0);
  });

  test("the file names no person, has no links and runs nothing", async () => {
    const file = await unpackedPdf(qpdf, await pdfOf(full));
    expect(file).not.toContain(full.sessionId);
    expect(file).not.toMatch(/\/URI|\/JavaScript|\/Launch|\/EmbeddedFile|\/Annot|\/AcroForm/);
  });

  test("a title with markup is shown as text, and the metadata is sound", async () => {
    const title = { text: "Values & <b>wishes</b>", language: "en" };
    const read = await readPdf(await pdfOf({ ...full, title }));
    expect(read.info.Title).toBe(title.text);
    expect(texts(read.elements, "H1")).toEqual([title.text]);
    expect(read.xmp).toContain("Values &amp; &lt;b&gt;wishes&lt;/b&gt;");
  });
});

const [answers = []] = population(longestForm(), 1, 3);
const longest = { definition: longestForm(), answers };

test.each(papers.flatMap((paper) => (["en", "de"] as const).map((locale) => [paper, locale] as const)))(
  "the PDF has a cover and three pages at most on %s, in %s, with names of 30 characters and everything that can be said",
  async (paper, locale) => {
    const error = { values: [], totalGap: null, stability: null };
    const quality = qualityWith({ grade: "caution", flags: cautionFlags }, error);
    const model = createReportModel(inputOf(longest.definition, longest.answers, { locales: [locale], quality }));
    expect((await readPdf(await pdfOf(model, { paper }))).pages).toBeLessThanOrEqual(4);
  },
);

test("the PDF of a larger assessment has more pages, and each row is whole on one of them", async () => {
  const values = Array.from({ length: 4 }, (_, round) =>
    full.values.map((value) => ({ ...value, valueId: value.valueId + 20 * round })),
  ).flat();
  const groups = [{ group: "asWanted" as const, title: "All", valueIds: values.map(({ valueId }) => valueId) }];
  const read = await readPdf(await pdfOf({ ...full, values, differences: { ...full.differences, groups } }));
  expect(read.pages).toBeGreaterThan(2);
  const said = rowsOf(read.elements).map(({ text }) => squeezed(text));
  expect(said.join("")).toBe(saidOfValues({ ...full, values, differences: { ...full.differences, groups } }).join(""));
  expect(read.stray).toEqual([]);
});

const lastPage = async (model: ReportModel) => (await readPdf(await pdfOf(model))).elements.at(-1);
const everyLanguage = reportCatalogues.map(({ language, texts: words }) => [language, words] as const);

test.each(everyLanguage)(
  "the last page asks three questions at least, and offers steps and a day: %s",
  async (language, words) => {
    const model = reportWith({ 1: [24, 12], 2: [10, 20] }, { locales: [language] });
    const page = await lastPage(model);
    expect(texts([...(page?.children ?? [])], "H2")).toEqual([words.conversationTitle, words.stepsTitle]);
    const own = [words.conversationFits, words.conversationSurprise, words.conversationTell];
    const asked = [...(model.questions?.entries ?? []), ...own].slice(0, 3);
    const said = squeezed(page?.text ?? "");
    expect([...asked, words.stepDay].filter((each) => !said.includes(squeezed(each)))).toEqual([]);
    const steps = model.steps?.offers.flatMap((offer) => offer.steps) ?? [];
    expect(steps.length).toBeGreaterThan(0);
    expect(texts([...(page?.children ?? [])], "LBody").slice(0, steps.length)).toEqual(steps);
  },
);

test("the last page asks nothing where the report says nothing", async () => {
  const { text = "" } = (await lastPage(reportWith({}, {}, [null, null]))) ?? {};
  expect(text).toContain("For our conversation");
  expect(text).not.toContain("?");
});

test("the last page has the step that a person chose, and its day", async () => {
  const steps = { chosen: { step: "Call Ana", lookAgainOn: "2026-12-24" }, earlier: null };
  const { text = "" } = (await lastPage(reportWith({ 1: [24, 12], 2: [10, 20] }, { steps }))) ?? {};
  expect(text).toMatch(/Your step: Call Ana.*You want to look again on .*24 December 2026/s);
});

test.each(hostileNames)("a name that is %s does no harm", async (_what, displayName) => {
  const read = await readPdf(await pdfOf(full, { branding: { ...neutralBranding, displayName } }));
  const [head = ""] = texts(read.elements, "P");
  expect(head.length).toBeLessThanOrEqual(62);
  expect(head).not.toMatch(/\p{Cc}|\ufffd/u);
  expect(read).toMatchObject({ stray: [] });
});

test.each([
  ["Acme Coaching", "Acme Coaching"],
  ["Żółta Łódź & Çağ", "Żółta Łódź & Çağ"],
  ["\u{16a40}\u{16a41}", "Report on your values"],
  ["Acme \u{1d800}", "Report on your values"],
  [null, "Report on your values"],
])("%s is printed as %s: characters without a font are replaced by neutral words", async (displayName, printed) => {
  const read = await readPdf(await pdfOf(full, { branding: { ...neutralBranding, displayName } }));
  expect(texts(read.elements, "P")[0]).toBe(printed);
});

describe("texts of this report without a font", () => {
  test.each([
    ["\u{1d801}\ufe0f Ana & Söhne: 030 1234 \u{1d800}", "Ana & Söhne: 030 1234"],
    ["\u{16a40}\u{16a41}", null],
    ["\u{1d800}", null],
  ])("the partner's support text %s is printed as %s", async (text, printed) => {
    const title = "If something here weighs on you";
    const { elements } = await readPdf(await pdfOf({ ...full, support: { title, text } }));
    const headings = texts(elements, "H2");
    expect(headings.includes(title)).toBe(printed !== null);
    if (printed === null) return;
    const words = withRole(elements, "P").filter((element) => element.text === printed);
    expect(words.map(({ lang }) => lang)).toEqual(["und"]);
  });

  test.each([
    ["🧘 Call Ana each day", "Call Ana each day"],
    ["Call \u{16a40}\u{16a41} \u{16a42} each day", "Call … each day"],
    ["\u{16a40}", "…"],
  ])("a person's own step %s is printed as %s, now and in the next report", async (step, printed) => {
    const own = { chosen: { step, lookAgainOn: "2026-12-24" }, earlier: step };
    const model = reportWith({ 1: [24, 12], 2: [10, 20] }, { steps: own });
    const { elements } = await readPdf(await pdfOf(model));
    expect(texts(elements, "LBody")).toContain(`Your step: ${printed}`);
    expect(texts(elements, "P")).toContain(`Last time you chose: ${printed}`);
  });

  test("the step that a person chose last time is printed before they choose another", async () => {
    const steps = { chosen: null, earlier: "Call Ana each day" };
    const { elements } = await readPdf(await pdfOf(reportWith({ 1: [24, 12], 2: [10, 20] }, { steps })));
    expect(texts(elements, "P")).toContain("Last time you chose: Call Ana each day");
    expect(texts(elements, "P").filter((text) => text.startsWith("Your step"))).toEqual([]);
  });

  test("a name without a font leaves the day alone", async () => {
    const cover = { name: "\u{16a40}\u{16a41}", date: "23 November 2026" };
    expect(texts((await readPdf(await pdfOf({ ...full, cover }))).elements, "P")).toContain("23 November 2026");
  });
});

test("text can be copied letter by letter, whatever was printed before", async () => {
  const rendering = createRendering();
  const printed = async (name: string) => {
    const definition = namedForm((index) => `${name} ${index}`);
    const model = createReportModel(inputOf(definition, population(definition, 1, 8)[0] ?? []));
    const pdf = await rendering({ model, branding: neutralBranding, format: "pdf", paper: "a4" });
    return texts((await readPdf(pdf)).elements, "TD").join(" ");
  };
  // Letters with accents are made of parts, which must not lose what they stand for alone.
  await printed("ÄÖÜÉÈÊÅÇÑŠŽĐĞİŁŐŰ äöüéèêåçñšžđğıłőű");
  const plain = "AOUEACNSZDGILJ aoueacnszdgilj";
  expect(await printed(plain)).toContain(plain);
});

test("before a colon a French report has a space, on pages and in print, of a person and of a team", async () => {
  const reports = samples(["fr"]).filter(({ name }) => /(?:long|short|team)(?:-report-a4\.pdf)?$/.test(name));
  expect(reports).toHaveLength(6);
  for (const { name, ...report } of reports) {
    const said =
      report.kind === "page"
        ? report.html.replace(/<style>.*?<\/style>|<[^>]*>/gs, "")
        : (await readPdf(await render(report.task))).elements.map(({ text }) => text).join("\n");
    expect([name, said.replace(/Acme Coaching: |Anna: 18:00/g, "").match(/.*[^\s\d]:.*/gu)]).toEqual([name, null]);
  }
});

test("a character without a font in the report's own texts is refused, not left out", async () => {
  const definition = namedForm((index) => (index === 4 ? "\u{16a40}" : `Value ${index}`));
  const model = createReportModel(inputOf(definition, population(definition, 1, 8)[0] ?? []));
  await expect(pdfOf(model)).rejects.toMatchObject({ code: "not_acceptable" });
});
