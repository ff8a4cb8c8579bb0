// Words that are longer than any column break: no letter of them leaves its page, in any document and on any paper.
import { expect, test } from "vitest";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import {
  createTeamReportModel,
  type TeamReportModel,
} from "../../src/products/values-bridge/report/team/team-model.ts";
import { createRendering } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { readPdf, textBoxesOf } from "../support/reports/pdf.ts";
import { neutralBranding, reportWith } from "../support/reports/reports.ts";
import { teamInput } from "../support/reports/teams.ts";
import { longForm } from "../support/values-bridge/short-form.ts";

const render = createRendering();
const papers = ["a4", "letter"] as const;
/** Of the widest letters there are, as long as each text may be. */
const [name, partner, support, label] = ["W".repeat(60), "W".repeat(100), "W".repeat(400), "W".repeat(100)];
const step = "W".repeat(200);

const chosen = { step, text: step, again: step, lookAgainOn: "2027-01-07" };
const steps = { title: "Step", note: "", offers: [], earlier: step, chosen };
const person = reportWith(
  { 1: [24, 12], 2: [10, 20], 11: [21, 8], 16: [23, 10] },
  { person: { name, date: "2026-11-28" }, support: `https://help.example.org/${support}` },
);
const documents: readonly (readonly [document: string, model: ReportModel | TeamReportModel, picture?: "poster"])[] = [
  ["report", { ...person, steps }],
  ["poster", person, "poster"],
  ["team report", createTeamReportModel(teamInput(longForm(), { label }))],
];
const branding = { ...neutralBranding, displayName: partner };

test.each(documents.flatMap((each) => papers.map((paper) => [each[0], paper, each] as const)))(
  "the %s on %s keeps every letter of them on the page",
  async (_name, paper, [, model, picture]) => {
    const pdf = await render({ model, branding, format: "pdf", paper, ...(picture && { picture }) });
    const { pages } = await readPdf(pdf);
    let letters = 0;
    for (let number = 1; number <= pages; number += 1) {
      const { boxes, width, height } = await textBoxesOf(pdf, number);
      expect(
        boxes.filter(({ left, right, bottom, top }) => left < 15 || right > width - 15 || bottom < 10 || top > height),
      ).toEqual([]);
      letters += boxes.map(({ text }) => text.replaceAll(/[^W]/g, "").length).reduce((sum, each) => sum + each, 0);
    }
    expect(letters).toBeGreaterThanOrEqual({ report: 100 + 60 + 3 * 200 + 400, poster: 160 }[_name] ?? 200);
  },
);
