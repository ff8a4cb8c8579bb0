// GroupService: groups, the codes by which people join them, and reports on closed ones.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { encodeQR } from "qr";
import { createJoinCode, formatJoinCode } from "../../domain/groups/join-code.ts";
import { hashSecret } from "../../domain/identity/secrets.ts";
import type { GroupService } from "../../gen/assessment/v1/group_service_pb.ts";
import { ReportPictureName } from "../../gen/assessment/v1/report_service_pb.ts";
import { PersonAccess, SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { findEnumWord } from "../../json/members.ts";
import { dayMs } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { PartnerCall, ServiceImpl } from "../../pipeline/call.ts";
import type { TeamReportModel } from "../../products/product.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";
import { renderForCaller, toRenderOptions } from "../reports/render-report.ts";
import { readLanguages } from "../reports/report-request.ts";
import { toReportBranding } from "../reports/reports.ts";
import { findRedirectUrlViolations } from "../sessions/session-request.ts";
import { closeGroup } from "./closing.ts";
import {
  createGroup,
  type GroupOutcome,
  type GroupRequest,
  getGroup,
  getGroupNumbers,
  getStoredGroup,
  listGroups,
} from "./groups.ts";

const defaultLifetimeMs = 7 * dayMs;
const maxDays = 90;
/** Modules around a QR code that readers need. */
const quietZone = 4;

/** The implementation of GroupService. */
export function createGroupService(deps: CallDependencies): ServiceImpl<typeof GroupService> {
  const { groups } = deps;
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

    /** Gives a group a join code in place of the one that it had. Throws `group_closed` and `hosted_off` as well. */
    async createJoinCode(request, call) {
      const pagesUrl = deps.pagesUrl();
      const group = await getStoredGroup(deps, request, call);
      const { redirectUrl, maxSessions } = request;
      const now = call.now();
      const closesAt = group.closesAt?.getTime() ?? Number.POSITIVE_INFINITY;
      const defaultEnd = new Date(Math.min(now + defaultLifetimeMs, closesAt));
      const expiresAt = request.expiresAt === undefined ? defaultEnd : timestampDate(request.expiresAt);
      const isInRange = expiresAt.getTime() > now && expiresAt.getTime() <= Math.min(now + maxDays * dayMs, closesAt);
      const detail = `A join code ends in the future, within ${maxDays} days, and when its group closes at the latest.`;
      if (group.closedAt !== null || closesAt <= now) throw new Refusal("group_closed", details.group_closed);
      throwIfInvalid([
        ...findRedirectUrlViolations(redirectUrl, SessionMode.HOSTED),
        ...(isInRange ? [] : [{ path: ["expiresAt"], code: "out_of_range", detail }]),
      ]);
      const newCode = createJoinCode(deps.random);
      const personAccess = findEnumWord(PersonAccess, request.personAccess) ?? "none";
      const joinCode = { redirectUrl, personAccess, expiresAt, maxSessions, joinedSessions: 0 };
      if (!(await groups.saveJoinCode(group, { ...joinCode, hash: hashSecret(newCode) }, call.signal))) {
        throw new Refusal("group_closed", details.group_closed);
      }
      const code = formatJoinCode(newCode);
      const url = `${pagesUrl}/join/${code}`;
      return { code, url, qrSvg: encodeQR(url, "svg", { ecc: "medium", border: quietZone }), expiresAt, maxSessions };
    },

    /** Ends the join code of a group, if it has one. */
    async revokeJoinCode(request, call) {
      const group = await getStoredGroup(deps, request, call);
      await groups.endJoinCode(group, new Date(call.now()), call.signal);
      return {};
    },

    async getGroupNumbers(request, call) {
      const { group, assessment, outcome } = await getGroupNumbers(deps, request, call);
      return {
        groupId: group.id,
        product: group.product,
        assessmentVersion: assessment.version,
        closedAt: group.closedAt,
        ...("numbers" in outcome
          ? { numbers: messages.toGroupNumbers(outcome.numbers), reason: null }
          : { reason: outcome.reason }),
      };
    },
    async getTeamReport(request, call) {
      return { report: messages.toTeamReport(await getTeamReport(deps, request, readLanguages(request), call)) };
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
  deps: Dependencies,
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
