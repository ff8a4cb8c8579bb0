// ReportService: reports, links to them, and what a link opens.
import type {
  GetReportRequest,
  RenderReportRequest,
  ReportService,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { toCaller } from "../../kernel/calls/core.ts";
import { throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { PipelineCall, ServiceImpl } from "../../pipeline/call.ts";
import type { Dependencies } from "../dependencies.ts";
import { createCardRpcs } from "./cards.ts";
import { render, renderForCaller, toOwnRenderOptions, toPageOptions, toRenderOptions } from "./render-report.ts";
import { createReportAccessRpcs, readOwnReport, recordView, toCalendarFile, toCircleFile } from "./report-access.ts";
import { findReportRequestViolations, readLanguages } from "./report-request.ts";
import { getReport } from "./reports.ts";

/** The implementation of ReportService. */
export function createReportService(deps: Dependencies): ServiceImpl<typeof ReportService> {
  const read = async (
    request: GetReportRequest | RenderReportRequest,
    languages: readonly string[],
    call: PipelineCall,
  ) => {
    const report = await getReport(deps, request, languages, call);
    call.auditSubjects.push({ sessionId: report.model.sessionId ?? undefined });
    return report;
  };
  return {
    async getReport(request, call) {
      const { model } = await read(request, readLanguages(request), call);
      return { report: deps.catalogue.product.messages.report(model) };
    },

    async renderReport(request, call) {
      const languages = readLanguages(request);
      const options = toRenderOptions(request);
      const report = await read(request, languages, call);
      return renderForCaller(deps, call, { ...report, ...options }, request.knownEntityTags);
    },

    ...createReportAccessRpcs(deps),
    ...createCardRpcs(deps),

    async renderOwnReport(message, call) {
      throwIfInvalid(findReportRequestViolations({ timeZone: message.timeZone }));
      const browserSession = call.reportBrowserSession;
      const ownOptions = toOwnRenderOptions(message);
      const options =
        ownOptions.format === "html"
          ? { ...ownOptions, page: await toPageOptions(deps, browserSession, message, call) }
          : ownOptions;
      const caller = toCaller(browserSession.partnerId, browserSession.sessionId);
      const { request, frameAncestors } = await readOwnReport(deps, browserSession, message, options, call);
      if (message.calendar) return toCalendarFile(deps, request);
      if (message.circle) return toCircleFile(deps, request);
      // A report that could not be rendered counts as no view.
      const rendering = () => render(deps, call, request, caller);
      const { mediaType, body, fileName, policy = "" } = await call.runWithoutSlot(rendering);
      await recordView(deps, browserSession, call);
      const { language } = request.model;
      return { mediaType, body, fileName, language, contentSecurityPolicy: policy, frameAncestors };
    },
  };
}
