// PDFs as an accessibility checker sees them that nobody here wrote.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import {
  createTeamReportModel,
  type TeamReportModel,
} from "../../src/products/values-bridge/report/team/team-model.ts";
import { reportCatalogues } from "../../src/products/values-bridge/report/words/language.ts";
import { createRendering } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { folderOfTest } from "../support/folders.ts";
import { cautionFlags, neutralBranding, qualityWith, randomReports, reportWith } from "../support/reports/reports.ts";
import { teamInput } from "../support/reports/teams.ts";
import { longForm } from "../support/values-bridge/short-form.ts";
import { extent, pathOf } from "./support/means.ts";
import { run } from "./support/run.ts";

const locales = reportCatalogues.map(({ language }) => language);
const quality = qualityWith({ grade: "caution", flags: cautionFlags });
const support = { title: "If something here weighs on you", text: "Call us." };

const verapdf = pathOf("verapdf");
if (verapdf !== undefined) {
  test("veraPDF finds that every report, poster and team report conforms to PDF/UA-1, in every language", async () => {
    const folder = folderOfTest();
    const render = createRendering();
    const files: string[] = [];
    const write = async (
      model: ReportModel | TeamReportModel,
      picture: "circle" | "poster",
      paper: "a4" | "letter",
    ) => {
      const file = join(folder, `${files.length}.pdf`);
      await writeFile(file, await render({ model, branding: neutralBranding, format: "pdf", paper, picture }));
      files.push(file);
    };
    for (const locale of locales) {
      const person = reportWith(
        { 1: [24, 12], 2: [10, 20], 3: [9, null], 12: [4, 16] },
        { locales: [locale], quality },
      );
      await write({ ...person, support }, "circle", "a4");
      await write(person, "poster", "letter");
      await write(createTeamReportModel(teamInput(longForm(), { locales: [locale] })), "circle", "a4");
    }
    await write(reportWith({}), "circle", "a4");
    for (const model of randomReports(extent() === "full" ? 60 : 6, 5)) await write(model, "circle", "letter");

    const judge = ["-cp", verapdf, "org.verapdf.apps.GreenfieldCliWrapper", "--flavour", "ua1", "--format", "text"];
    const outputLines = (await run("java", [...judge, ...files])).trim().split("\n");
    expect(outputLines).toEqual(files.map((file) => `PASS ${file} ua1`));
  });
}
