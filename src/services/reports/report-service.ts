// ReportService: reports, links to them, and what a link opens.
import type {
  GetReportRequest,
  RenderReportRequest,
  ReportService,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { notFound, refuseIfAny } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { callerOf } from "../../kernel/limits/caller.ts";
import { resolveLink } from "../../pipeline/auth/browser-session.ts";
import { deadlineOf, type PipelineCall, principalOf, reportBrowserSessionOf } from "../../pipeline/call.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import type { Needs } from "../dependencies.ts";
import { type BrowserSessionDeps, openBrowserSession } from "../hosted/session-links.ts";
import { getSession } from "../sessions/sessions.ts";
import { render, renderForCaller, toOwnReportForm, toReportForm } from "./rendering.ts";
import {
  calendarOf,
  createReportLink,
  type ReportLinkDeps,
  recordView,
  requireReport,
  setIntention,
  viewOwnReport,
} from "./report-access.ts";
import { readersOf, reportRequestViolations } from "./report-request.ts";
import { getReport, type ReportDeps } from "./reports.ts";

/** The implementation of ReportService. */
export function reportService(
  deps: ReportDeps & ReportLinkDeps & BrowserSessionDeps & Needs<"pagesUrl" | "writes">,
): ServiceImpl<typeof ReportService> {
  const links = { kind: "reportLink", find: deps.reportAccess.findLink } as const;
  const read = async (
    request: GetReportRequest | RenderReportRequest,
    languages: readonly string[],
    context: PipelineCall,
  ) => {
    const report = await getReport(deps, principalOf(context).partnerId, request, languages, deadlineOf(context));
    context.auditSubjects.push({ sessionId: report.model.sessionId ?? undefined });
    return report;
  };
  return {
    async getReport(request, context) {
      const { model } = await read(request, readersOf(request), context);
      return { report: deps.catalogue.product.messages.report(model) };
    },

    async renderReport(request, context) {
      const { knownEntityTags } = request;
      const languages = readersOf(request);
      const form = toReportForm(request);
      return renderForCaller(deps, context, { ...(await read(request, languages, context)), ...form }, knownEntityTags);
    },

    createReportLink: (request, context) =>
      createReportLink(deps, refOf(request, context), request, deadlineOf(context)),

    /**
     * Revokes all links to the report on a session, the browser sessions that they opened, and the hosted pages' access once
     * the session is completed.
     */
    async revokeReportLinks(request, context) {
      const { session } = await getSession(deps, refOf(request, context), deadlineOf(context));
      await deps.reportAccess.removeAccess(session, deadlineOf(context).signal);
      return {};
    },

    async setIntention(request, context) {
      const ref = refOf(request, context);
      await requireReport(deps, ref, deadlineOf(context));
      return setIntention(deps, ref, request, deadlineOf(context));
    },

    async getIntention(request, context) {
      const ref = refOf(request, context);
      await requireReport(deps, ref, deadlineOf(context));
      const intention = await deps.reportAccess.findIntention(ref, deadlineOf(context).signal);
      if (intention === undefined) throw notFound();
      return { intention: { step: intention.step, lookAgainOn: intention.lookAgainOn ?? undefined } };
    },

    async setOwnIntention(request, context) {
      await setIntention(deps, reportBrowserSessionOf(context), request, deadlineOf(context));
      return {};
    },

    /** Opens the report of a link until the link expires. */
    async exchangeReportLink({ linkToken: token }, context) {
      const { address } = context.origin;
      const link = await resolveLink(deps, links, { token, address }, deadlineOf(context));
      return openBrowserSession(deps, "reportBrowserSession", { ...link, linkHash: link.hash }, context);
    },

    async renderOwnReport(message, context) {
      refuseIfAny(reportRequestViolations({ timeZone: message.timeZone }));
      const browserSession = reportBrowserSessionOf(context);
      const form = toOwnReportForm(
        message,
        { isTest: isTestTwin(browserSession.partnerId), isByLink: browserSession.linkHash !== null },
        deps.clock(),
      );
      const caller = callerOf(browserSession.partnerId, browserSession.sessionId);
      const viewed = await viewOwnReport(deps, browserSession, message, form, deadlineOf(context));
      const { request, frameAncestors } = viewed;
      if (message.calendar) return calendarOf(deps, request.model);
      const { mediaType, body, fileName, policy = "" } = await render(deps, context, request, caller);
      // One short statement, by no more calls than have rendered.
      await recordView(deps, browserSession, deadlineOf(context));
      const { language } = request.model;
      const mayBeShown = { contentSecurityPolicy: policy, frameAncestors: [...frameAncestors] };
      return { mediaType, body, fileName, language, ...mayBeShown };
    },
  };
}

function refOf({ product, sessionId }: { product: string; sessionId: string }, context: PipelineCall) {
  return { partnerId: principalOf(context).partnerId, product, sessionId: sessionId.toLowerCase() };
}
