// GroupService, with the reports on closed groups.
import { type GroupService, GroupWithheldReason } from "../../gen/assessment/v1/group_service_pb.ts";
import { ReportPictureName } from "../../gen/assessment/v1/report_service_pb.ts";
import { byWord } from "../../json/members.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { deadlineOf, type PipelineCall, principalOf } from "../../pipeline/call.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import type { TeamReportModel } from "../../products/product.ts";
import type { Needs } from "../dependencies.ts";
import { renderForCaller, toReportForm } from "../reports/rendering.ts";
import { readersOf } from "../reports/report-request.ts";
import { reportBrandingOf } from "../reports/reports.ts";
import { type TestClockDeps, withSessionClock } from "../sandbox/test-clock.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { type ClosingDeps, closeGroup } from "./closing.ts";
import {
  createGroup,
  type GroupDeps,
  type GroupOutcome,
  type GroupRef,
  getGroup,
  getGroupNumbers,
  listGroups,
} from "./groups.ts";

/** The implementation of GroupService. */
export function groupService(
  deps: TestClockDeps & GroupDeps & ClosingDeps & Needs<"clock" | "random" | "brandings" | "renderer">,
): ServiceImpl<typeof GroupService> {
  const timed = (context: PipelineCall) => withSessionClock(deps, principalOf(context).partnerId, deadlineOf(context));
  return {
    async createGroup(request, context) {
      const response = await createGroup(
        await timed(context),
        principalOf(context).partnerId,
        request,
        deadlineOf(context),
      );
      context.auditSubjects.push({ targetId: response.group?.groupId });
      return response;
    },

    listGroups: (request, context) => listGroups(deps, principalOf(context).partnerId, request, deadlineOf(context)),

    async getGroup(request, context) {
      return { group: await getGroup(deps, refOf(request, context), deadlineOf(context)) };
    },

    async closeGroup(request, context) {
      const ref = refOf(request, context);
      await closeGroup(await timed(context), ref, deadlineOf(context));
      return { group: await getGroup(deps, ref, deadlineOf(context)) };
    },

    async getGroupNumbers(request, context) {
      const result = await getGroupNumbers(deps, refOf(request, context), deadlineOf(context));
      const { group, assessment, outcome } = result;
      return {
        groupId: group.id,
        product: group.product,
        assessmentVersion: assessment.version,
        closedAt: toTimestamp(group.closedAt),
        ...("numbers" in outcome
          ? { numbers: deps.catalogue.product.messages.groupNumbers(outcome.numbers) }
          : { reason: withheldReasons[outcome.reason] }),
      };
    },

    async getTeamReport(request, context) {
      const languages = readersOf(request);
      const model = await getTeamReport(deps, refOf(request, context), languages, deadlineOf(context));
      return { report: deps.catalogue.product.messages.teamReport(model) };
    },

    async renderTeamReport(request, context) {
      const { format, paper, knownEntityTags } = request;
      const form = toReportForm({ format, paper, picture: ReportPictureName.UNSPECIFIED });
      const ref = refOf(request, context);
      const model = await getTeamReport(deps, ref, readersOf(request), deadlineOf(context));
      const branding = reportBrandingOf(await deps.brandings.findBranding(ref.partnerId, deadlineOf(context).signal));
      return renderForCaller(deps, context, { model, branding, ...form }, knownEntityTags);
    },
  };
}

function refOf({ product, groupId }: { product: string; groupId: string }, context: PipelineCall): GroupRef {
  return { partnerId: principalOf(context).partnerId, product, groupId };
}

const withheldReasons = byWord(GroupWithheldReason);

type Withheld = Extract<GroupOutcome, { readonly reason: unknown }>["reason"];

const reasons: Readonly<Record<Withheld, string>> = {
  open: details.numbers_withheld,
  too_few:
    "Fewer than 5 people count in this group, so it has no numbers. It takes people with a complete session of grade good or caution.",
  disclosive:
    "Together with numbers of other groups, those of this one would tell of fewer than 5 people, so it has none. Groups that share either nobody or 5 people and more, with answers of their own, get numbers.",
  withdrawn: "Erasures have left fewer than 5 people who count, so the numbers of the group are withdrawn.",
};

/**
 * The report on a closed group that has numbers. Throws `not_found` and `numbers_withheld`.
 * @param languages BCP 47 tags, the preferred one first
 */
export async function getTeamReport(
  deps: Needs<"groups" | "catalogue">,
  ref: GroupRef,
  languages: readonly string[],
  deadline: Deadline,
): Promise<TeamReportModel> {
  const { group, assessment, outcome } = await getGroupNumbers(deps, ref, deadline);
  const { id: groupId, label, closedAt } = group;
  if (closedAt === null || "reason" in outcome) throw numbersWithheld("reason" in outcome ? outcome.reason : "open");
  return assessment.teamReport({ groupId, label, closedAt, numbers: outcome.numbers, locales: languages });
}

function numbersWithheld(withheld: Withheld): Refusal {
  return new Refusal("numbers_withheld", reasons[withheld], { facts: { withheld } });
}
