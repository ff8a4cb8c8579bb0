// What stands for a partner at the head of a report.
import { cleanName, type ReportBranding } from "../branding.ts";
import type { ReportModel } from "../report-model.ts";
import { isTeamReport, type TeamReportModel } from "../team/team-model.ts";
import { teamTextsOf } from "../team/words.ts";
import { reportLanguageFor } from "./language.ts";

type AnyReport = Pick<ReportModel, "language"> | TeamReportModel;

/** The partner's name, else neutral words that say what the report is about. */
export function brandWords({ displayName }: Pick<ReportBranding, "displayName">, model: AnyReport): string {
  return cleanName(displayName) ?? neutralHead(model);
}

/** What stands at the head of a report without a name. */
export function neutralHead(model: AnyReport): string {
  const { language } = model;
  return isTeamReport(model) ? teamTextsOf(language).neutralHead : reportLanguageFor([language]).texts.neutralHead;
}
