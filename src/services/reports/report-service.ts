// ReportService: reports, links to them, and what a link opens.
import type {
  GetReportRequest,
  RenderReportRequest,
  ReportService,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { notFound, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { toCaller } from "../../kernel/limits/caller.ts";
import { resolveLink } from "../../pipeline/auth/browser-session.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import { type PipelineCall, requireReportBrowserSession } from "../../pipeline/call.ts";
import type { Dependencies } from "../dependencies.ts";
import { openBrowserSession } from "../hosted/session-links.ts";
import { getSession, toSessionRef } from "../sessions/sessions.ts";
import { shareCard, showCard } from "./cards.ts";
import { findOwnPage, render, renderForCaller, toOwnRenderOptions, toRenderOptions } from "./render-report.ts";
import {
  calendarFile,
  circleFile,
  createReportLink,
  recordView,
  requireReport,
  setIntention,
  viewOwnReport,
} from "./report-access.ts";
import { readLanguages, reportRequestViolations } from "./report-request.ts";
import { getReport } from "./reports.ts";

/** The implementation of ReportService. */
export function reportService(deps: Dependencies): ServiceImpl<typeof ReportService> {
  const links = { kind: "reportLink", find: deps.reportAccess.findLink } as const;
  const cards = { kind: "reportCard", find: deps.reportAccess.findLink } as const;
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

    createReportLink: (request, call) => createReportLink(deps, toSessionRef(request, call), request, call),

    /**
     * Revokes all links to the report on a session, the browser sessions that they opened, and the hosted pages' access once
     * the session is completed.
     */
    async revokeReportLinks(request, call) {
      const { session } = await getSession(deps, toSessionRef(request, call), call);
      await deps.reportAccess.removeAccess(session, call.signal);
      return {};
    },

    async setIntention(request, call) {
      const ref = toSessionRef(request, call);
      await requireReport(deps, ref, call);
      return setIntention(deps, ref, request, call);
    },

    async getIntention(request, call) {
      const ref = toSessionRef(request, call);
      await requireReport(deps, ref, call);
      const intention = await deps.reportAccess.findIntention(ref, call.signal);
      if (intention === undefined) throw notFound();
      return { intention: { step: intention.step, lookAgainOn: intention.lookAgainOn ?? undefined } };
    },

    async setOwnIntention(request, call) {
      await setIntention(deps, call.reportBrowserSession, request, call);
      return {};
    },

    async shareOwnCard(request, call) {
      await shareCard(deps, call.reportBrowserSession, request, call);
      return {};
    },

    async openCard({ cardToken, picture }, call) {
      return showCard(deps, await resolveLink(deps, cards, cardToken, call), picture, call);
    },

    /** Opens the report of a link until the link expires. */
    async exchangeReportLink({ linkToken }, call) {
      const link = await resolveLink(deps, links, linkToken, call);
      return openBrowserSession(deps, "reportBrowserSession", { ...link, linkHash: link.hash }, call);
    },

    async renderOwnReport(message, call) {
      throwIfInvalid(reportRequestViolations({ timeZone: message.timeZone }));
      const browserSession = call.reportBrowserSession;
      const ownOptions = toOwnRenderOptions(message);
      const options =
        ownOptions.format === "html"
          ? { ...ownOptions, page: await findOwnPage(deps, browserSession, message, call) }
          : ownOptions;
      const caller = toCaller(browserSession.partnerId, browserSession.sessionId);
      const { request, frameAncestors } = await viewOwnReport(deps, browserSession, message, options, call);
      if (message.calendar) return calendarFile(deps, request);
      if (message.circle) return circleFile(deps, request);
      // A report that could not be rendered counts as no view.
      const rendering = () => render(deps, call, request, caller);
      const { mediaType, body, fileName, policy = "" } = await call.withoutSlot(rendering);
      await recordView(deps, browserSession, call);
      const { language } = request.model;
      return { mediaType, body, fileName, language, contentSecurityPolicy: policy, frameAncestors };
    },
  };
}
