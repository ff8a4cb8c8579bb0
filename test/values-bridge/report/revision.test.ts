// Entity tags name the revision: whoever changes what a report shows counts it up, or readers keep what they had.
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { renderReportHtml } from "../../../src/products/values-bridge/report/html/report-html.ts";
import { reportRevision } from "../../../src/products/values-bridge/report/model/rules.ts";
import { createReportModel } from "../../../src/products/values-bridge/report/report.ts";
import { pictureNames } from "../../../src/products/values-bridge/report/report-renderer.ts";
import { renderTeamHtml } from "../../../src/products/values-bridge/report/team/team-html.ts";
import { createTeamReportModel } from "../../../src/products/values-bridge/report/team/team-model.ts";
import {
  createRendering,
  type RenderingTask,
} from "../../../src/products/values-bridge/report-rendering/render-task.ts";
import { answersWith } from "../../../tools/docs/made-up-answers.ts";
import { neutralBranding } from "../../support/reports/reports.ts";
import { teamInput } from "../../support/reports/teams.ts";
import { translatedDefinition } from "../../support/values-bridge/definition.ts";
import { answeredEvery, inputOf, population, qualityOf } from "../../support/values-bridge/simulated-people.ts";

/** The revision, and what the reports of this test look like in it. */
const pinned = { revision: 3, digest: "552c72a50d710388" };

test("a change of what reports show is a new revision", async () => {
  const render = createRendering();
  const pictureOf = async (task: Pick<RenderingTask, "model" | "picture">) =>
    Buffer.from(await render({ ...task, branding: neutralBranding, format: "svg" })).toString();
  // Not the shipped definition: its words may change without a new revision.
  const definition = translatedDefinition();
  const answers = answersWith(definition, { 1: [8, 3], 2: [3, 7], 3: [5, null], 4: [null, null] }, [6, 6]);
  const reports = ["en", "de"].map((locale) => createReportModel(inputOf(definition, answers, { locales: [locale] })));
  const shown: string[] = [];
  for (const model of reports) {
    shown.push(JSON.stringify({ ...model, revision: 0 }), renderReportHtml(model, neutralBranding));
    for (const picture of pictureNames) shown.push(await pictureOf({ model, picture }));
  }
  // Most of what can be said is said of one of them.
  for (const [index, sheet] of population(definition, 60, 7).entries()) {
    const quality = qualityOf(definition, sheet, index % 3 === 0 ? null : answeredEvery(index % 12));
    const model = createReportModel(inputOf(definition, sheet, { quality, locales: [index % 2 === 0 ? "en" : "de"] }));
    shown.push(JSON.stringify({ ...model, revision: 0 }));
  }
  for (const locale of ["en", "de"]) {
    const model = createTeamReportModel(teamInput(definition, { locales: [locale] }));
    shown.push(
      JSON.stringify({ ...model, revision: 0 }),
      renderTeamHtml(model, neutralBranding),
      await pictureOf({ model }),
    );
  }
  const digest = hash("sha256", shown.join("\n"), "hex").slice(0, 16);
  // Another digest: count `reportRevision` up by one once a release, and put both here.
  expect({ revision: reportRevision, digest }).toEqual(pinned);
});
