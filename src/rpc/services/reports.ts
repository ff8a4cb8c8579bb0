// ReportService: messages in, use cases of the domain, messages out.
import { notFound, refuseIfAny } from "../../domain/errors.ts";
import {
  getRenderRequest,
  getReport,
  type ReportDeps,
  type ReportTarget,
  renderReport,
} from "../../domain/reports/reports.ts";
import {
  type GetReportRequest,
  type RenderReportRequest,
  ReportService,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { reportRequestFaults } from "../../rules/report-request.ts";
import { toReportMessage } from "../../values-bridge/messages/report.ts";
import { toReportForm } from "../messages/reports.ts";
import { type Call, type Handlers, implement, principalOf } from "../pipeline/implementation.ts";

/** The implementation of ReportService. */
export function reportService(deps: ReportDeps): Handlers {
  return implement(ReportService, {
    async getReport(request, call) {
      const target = targetOf(request, call);
      const languages = languagesOf(request, []);
      return { report: toReportMessage(await getReport(deps, target, languages, call.deadline)) };
    },

    async renderReport(request, call) {
      const target = targetOf(request, call);
      const languages = languagesOf(request, request.knownEntityTags);
      const wanted = { languages, form: toReportForm(request) };
      const renderRequest = await getRenderRequest(deps, target, wanted, call.deadline);
      const { language } = renderRequest.model;
      const { entityTag, mediaType, fileName } = deps.renderer.describe(renderRequest);
      const head = { mediaType, fileName, entityTag, language };
      const { knownEntityTags } = request;
      if (knownEntityTags.includes(entityTag) || knownEntityTags.includes("*")) return { ...head, notModified: true };
      // What is left to do needs no connection to the database.
      call.leavePlace();
      const { body } = await renderReport(deps, renderRequest);
      return { ...head, body };
    },
  });
}

type Wanted = Pick<GetReportRequest, "product" | "session"> | Pick<RenderReportRequest, "product" | "session">;

function targetOf({ product, session }: Wanted, call: Call): ReportTarget {
  const { partnerId } = principalOf(call);
  if (session.case === "sessionId") return { partnerId, product, sessionId: session.value.toLowerCase() };
  if (session.case === "externalId") return { partnerId, product, externalId: session.value };
  throw notFound();
}

/** The languages of the reader, the one that is asked for first. Throws `invalid_request`. */
function languagesOf(
  { locale, languages }: Pick<GetReportRequest, "locale" | "languages">,
  knownEntityTags: readonly string[],
): string[] {
  refuseIfAny(reportRequestFaults({ locale, languages, knownEntityTags }));
  return locale === undefined ? languages : [locale, ...languages];
}
