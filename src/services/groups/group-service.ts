// GroupService, with the reports on closed groups.
import type { GroupService } from "../../gen/assessment/v1/group_service_pb.ts";
import { ReportPictureName } from "../../gen/assessment/v1/report_service_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { PartnerCall, ServiceImpl } from "../../pipeline/call.ts";
import type { TeamReportModel } from "../../products/product.ts";
import type { Dependencies, Needs } from "../dependencies.ts";
import { renderForCaller, toRenderOptions } from "../reports/render-report.ts";
import { readLanguages } from "../reports/report-request.ts";
import { toReportBranding } from "../reports/reports.ts";
import { closeGroup } from "./closing.ts";
import { createGroup, type GroupOutcome, type GroupRequest, getGroup, getGroupNumbers, listGroups } from "./groups.ts";
import { createJoinCodeRpcs } from "./join-codes.ts";

/** The implementation of GroupService. */
export function createGroupService(deps: Dependencies): ServiceImpl<typeof GroupService> {
  const { messages } = deps.catalogue.product;
  return {
    async createGroup(request, call) {
      const response = await createGroup(deps, request, call);
      call.auditSubjects.push({ targetId: response.group?.groupId });
      return response;
    },
    listGroups: (request, call) => listGroups(deps, request, call),
    getGroup: (request, call) => getGroup(deps, request, call),
    async closeGroup(request, call) {
      await closeGroup(deps, request, call);
      return getGroup(deps, request, call);
    },
    ...createJoinCodeRpcs(deps),
    async getGroupNumbers(request, call) {
      const { group, assessment, outcome } = await getGroupNumbers(deps, request, call);
      return {
        groupId: group.id,
        product: group.product,
        assessmentVersion: assessment.version,
        closedAt: group.closedAt,
        ...("numbers" in outcome
          ? { numbers: messages.groupNumbers(outcome.numbers), reason: null }
          : { reason: outcome.reason }),
      };
    },
    async getTeamReport(request, call) {
      return { report: messages.teamReport(await getTeamReport(deps, request, readLanguages(request), call)) };
    },
    async renderTeamReport(request, call) {
      const { format, paper, knownEntityTags } = request;
      const options = toRenderOptions({ format, paper, picture: ReportPictureName.UNSPECIFIED });
      const model = await getTeamReport(deps, request, readLanguages(request), call);
      const branding = toReportBranding(await deps.brandings.findBranding(call.partnerId, call.signal));
      return renderForCaller(deps, call, { model, branding, ...options }, knownEntityTags);
    },
  };
}

type WithheldReasonName = Extract<GroupOutcome, { readonly reason: unknown }>["reason"];

const reasons: Readonly<Record<WithheldReasonName, string>> = {
  open: details.numbers_withheld,
  too_few:
    "Fewer than 5 people count in this group, so it has no numbers. It takes people with a complete session of grade good or caution.",
  disclosive:
    "Together with numbers of other groups, those of this one would tell of fewer than 5 people, so it has none. Groups that share either nobody or 5 people and more, with answers of their own, get numbers.",
  withdrawn: "Erasures have left fewer than 5 people who count, so the numbers of the group are withdrawn.",
};

/** The report on a closed group. Throws `not_found` and `numbers_withheld`. @param languages BCP 47 tags */
async function getTeamReport(
  deps: Needs<"groups" | "catalogue">,
  request: GroupRequest,
  languages: readonly string[],
  call: PartnerCall,
): Promise<TeamReportModel> {
  const { group, assessment, outcome } = await getGroupNumbers(deps, request, call);
  const { id: groupId, label, closedAt } = group;
  if (closedAt === null || "reason" in outcome) {
    const withheld = "reason" in outcome ? outcome.reason : "open";
    throw new Refusal("numbers_withheld", reasons[withheld], { metadata: { withheld } });
  }
  return assessment.createTeamReport({ groupId, label, closedAt, numbers: outcome.numbers, locales: languages });
}
