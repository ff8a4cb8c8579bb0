// What the contact sheet shows of reports: a made-up person and a made-up group, in each language and form.

import { toShortForm } from "../../src/products/values-bridge/definition/forms.ts";
import { renderReportHtml } from "../../src/products/values-bridge/report/html/report-html.ts";
import { createReportModel } from "../../src/products/values-bridge/report/report.ts";
import type { ReportComparison, ReportQuality } from "../../src/products/values-bridge/report/report-input.ts";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import { papers, pictureNames, reportPapers } from "../../src/products/values-bridge/report/report-renderer.ts";
import { renderTeamHtml } from "../../src/products/values-bridge/report/team/team-html.ts";
import {
  createTeamReportModel,
  type TeamReportModel,
} from "../../src/products/values-bridge/report/team/team-model.ts";
import { reportCatalogues } from "../../src/products/values-bridge/report/words/language.ts";
import type { RenderingTask } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { teamInput } from "../../test/support/reports/teams.ts";
import { longForm } from "../../test/support/values-bridge/short-form.ts";
import { inputOf, population, qualityOf } from "../../test/support/values-bridge/simulated-people.ts";

export const forms = ["long", "short"] as const;

/** What one picture is of: a page for the browser, or a document of the renderer. */
export type Sample =
  | { readonly name: string; readonly kind: "page"; readonly html: string }
  | { readonly name: string; readonly kind: "document"; readonly task: RenderingTask };

/** Every report of the sheet, by its language. @param languages tags; all of them by default */
export function samples(languages: readonly string[] = reportCatalogues.map(({ language }) => language)): Sample[] {
  return languages.flatMap((language) => [
    ...forms.flatMap((form) => listSamples(`${language}-${form}`, personIn(language, form))),
    ...listSamples(
      `${language}-team`,
      createTeamReportModel(teamInput(longForm(), { locales: [language], label: "Team North" })),
    ),
  ]);
}

const branding = { displayName: "Acme Coaching", accentColor: null, logoUrl: null };

function listSamples(name: string, model: ReportModel | TeamReportModel): Sample[] {
  const isTeam = "groupId" in model;
  const page: Sample = {
    name,
    kind: "page",
    html: isTeam ? renderTeamHtml(model, branding) : renderReportHtml(model, branding),
  };
  const document = (what: string, task: Omit<RenderingTask, "model" | "branding">): Sample => {
    return { name: `${name}-${what}.${task.format}`, kind: "document", task: { model, branding, ...task } };
  };
  const pdfs = reportPapers.map((paper) => document(`report-${paper}`, { format: "pdf", paper }));
  if (isTeam) return [page, ...pdfs, document("circle", { format: "png" })];
  const posters = papers.map((paper) => document(`poster-${paper}`, { format: "pdf", paper, picture: "poster" }));
  const pictures = pictureNames.flatMap((picture) =>
    (["png", "svg"] as const).map((format) => document(picture, { format, picture })),
  );
  const card = document("card", { format: "png", picture: "card" });
  return [page, ...pdfs, ...posters, ...pictures, card];
}

/** Somebody with a report that has every part: in the long form also what changed, and how others answered. */
function personIn(language: string, form: (typeof forms)[number]): ReportModel {
  const isLong = form === "long";
  const definition = isLong ? longForm() : (toShortForm(longForm()) ?? longForm());
  const [answers = []] = population(definition, 1, 3);
  return createReportModel(
    inputOf(definition, answers, {
      form,
      quality: { ...qualityOf(definition, answers), norms: isLong ? othersIn(language) : null },
      comparison: isLong ? timeBefore : null,
      locales: [language],
      person: { name: "Anna Berger", date: "2026-11-28" },
      support: "Acme Coaching: 030 1234 5678",
      steps: { chosen: form === "short" ? { step: "Anna: 18:00", lookAgainOn: "2027-01-07" } : null, earlier: null },
      sharing: { partner: "Acme Coaching", until: new Date("2026-12-28"), isByLink: true },
    }),
  );
}

const timeBefore: ReportComparison = {
  since: new Date("2026-03-01"),
  statements: {
    values: [
      { valueId: 5, ideal: null, current: { change: 33, consistent: "joint" } },
      { valueId: 15, ideal: { change: -29, consistent: "joint" }, current: null },
    ],
  },
};

function othersIn(language: string): NonNullable<ReportQuality["norms"]> {
  const standing = (percentile: number) => ({
    percentile,
    percentileRange: [percentile - 7, percentile + 7] as const,
  });
  const values = longForm().values.map(({ id }) => ({
    valueId: id,
    ideal: standing(id % 6 === 0 ? 14 : 40 + 2.5 * id),
  }));
  return { scope: "partner", n: 240, provisional: true, language, values };
}
