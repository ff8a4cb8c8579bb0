// The contact sheet leaves out no report: each language, form, format, picture and paper is on it.
import { expect, test } from "vitest";
import {
  papers,
  pictureNames,
  reportFormats,
  reportPapers,
} from "../../src/products/values-bridge/report/report-renderer.ts";
import { reportCatalogues } from "../../src/products/values-bridge/report/words/language.ts";
import { forms, samples } from "../../tools/pictures/samples.ts";
import { sheetOf } from "../../tools/pictures/sheet.ts";

test("the contact sheet has every report as a page, and in every format, picture and paper", () => {
  const all = samples();
  for (const { language } of reportCatalogues)
    for (const of of [...forms, "team"]) {
      const own = all.filter(({ name }) => name.startsWith(`${language}-${of}`));
      expect(own.filter(({ kind }) => kind === "page")).toHaveLength(1);
      const tasks = own.flatMap((sample) => (sample.kind === "document" ? [sample.task] : []));
      const pdfs = tasks.filter(({ format }) => format === "pdf");
      expect(new Set(pdfs.map(({ paper }) => paper))).toEqual(new Set(of === "team" ? reportPapers : papers));
      if (of === "team") continue;
      const shown = new Set(tasks.map(({ format, picture }) => `${format} ${picture}`));
      for (const format of reportFormats.filter((each) => each === "svg" || each === "png"))
        for (const picture of pictureNames) expect(shown).toContain(`${format} ${picture}`);
      expect(shown).toContain("png card");
    }
});

test("the contact sheet shows every picture, and leads to the document behind it", () => {
  const sheet = sheetOf(["start-phone.png", "reports/en-long-poster-pdf.png", "reports/en-long-poster-pdf.pdf"]);
  expect([...sheet.matchAll(/<img [^>]*src="([^"]+)"/g)].map(([, file]) => file)).toEqual([
    "reports/en-long-poster-pdf.png",
    "start-phone.png",
  ]);
  expect(sheet).toContain('<a href="reports/en-long-poster-pdf.pdf">');
});
