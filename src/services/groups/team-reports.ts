// Team reports: what the numbers of a closed group say, in words. What has no numbers has no report.

import type { Deadline } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { RenderRequest, TeamReportModel } from "../../products/product.ts";
import type { BrandingStore } from "../../store/hosted/branding-store.ts";
import { lookOf, type ReportForm } from "../reports/reports.ts";
import { type GroupAddress, type GroupDeps, type GroupOutcome, getGroupNumbers } from "./groups.ts";

type Withheld = Extract<GroupOutcome, { readonly reason: unknown }>["reason"];

const reasons: Readonly<Record<Withheld, string>> = {
  open: details.numbers_withheld,
  too_few: "Fewer than 5 people count in this group, so it has no numbers.",
  too_alike: "But for 1 to 4 people the group is one whose numbers you got before, so it has none.",
  withdrawn: "Erasures have left fewer than 5 people who count, so the numbers of the group are withdrawn.",
};

/**
 * The report on a closed group that has numbers. Throws `not_found` and `numbers_withheld`.
 * @param languages BCP 47 tags, the preferred one first
 */
export async function getTeamReport(
  deps: Pick<GroupDeps, "groups" | "catalogue">,
  address: GroupAddress,
  languages: readonly string[],
  deadline: Deadline,
): Promise<TeamReportModel> {
  const { group, assessment, outcome } = await getGroupNumbers(deps, address, deadline);
  const { id: groupId, label, closedAt } = group;
  if (closedAt === null || "reason" in outcome) throw numbersWithheld("reason" in outcome ? outcome.reason : "open");
  return assessment.teamReport({ groupId, label, closedAt, numbers: outcome.numbers, locales: languages });
}

/** What a team report is rendered from. Throws as `getTeamReport`. */
export async function getTeamRenderRequest(
  deps: Pick<GroupDeps, "groups" | "catalogue"> & { readonly brandings: Pick<BrandingStore, "findBranding"> },
  address: GroupAddress,
  { languages, form }: { readonly languages: readonly string[]; readonly form: ReportForm },
  deadline: Deadline,
): Promise<RenderRequest<TeamReportModel>> {
  const model = await getTeamReport(deps, address, languages, deadline);
  const branding = lookOf(await deps.brandings.findBranding(address.partnerId, deadline.signal));
  return { model, branding, ...form };
}

function numbersWithheld(withheld: Withheld): Refusal {
  return new Refusal("numbers_withheld", reasons[withheld], { facts: { withheld } });
}
