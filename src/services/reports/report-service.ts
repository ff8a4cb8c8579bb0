// ReportService: reports, links to them, and what a link opens.
import type {
  GetReportRequest,
  RenderReportRequest,
  ReportService,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { notFound, refuseIfAny } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { callerOf } from "../../kernel/limits/caller.ts";
import { type BrowserAuthenticationDeps, findCountedLink } from "../../pipeline/auth/browser-session.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { deadlineOf, type PipelineCall, principalOf, reportBrowserSessionOf } from "../../pipeline/pipeline.ts";
import type { Intention } from "../../store/reports/report-access-store.ts";
import type { Needs } from "../dependencies.ts";
import { frameAncestorsOf } from "../hosted/branding.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { getSessionResults } from "../sessions/sessions.ts";
import { renderForCaller, takeRenderingSlot, toOwnReportForm, toReportForm } from "./rendering.ts";
import {
  createReportLink,
  findReportLink,
  openReportBrowserSession,
  type ReportLinkDeps,
  revokeReportLinks,
  setIntention,
  viewOwnReport,
} from "./report-access.ts";
import { type ReportRequest, reportRequestViolations } from "./report-request.ts";
import { getRenderRequest, getReport, type ReportDeps, type ReportReader, type ReportTarget } from "./reports.ts";

/** The implementation of ReportService. */
export function reportService(
  deps: ReportDeps & ReportLinkDeps & BrowserAuthenticationDeps & Needs<"pagesUrl">,
): ServiceImpl<typeof ReportService> {
  return {
    async getReport(request, context) {
      const target = targetOf(request, context);
      const model = await getReport(deps, target, readerOf(request), deadlineOf(context));
      context.auditSubjects.push({ sessionId: model.sessionId ?? undefined });
      return { report: deps.catalogue.product.messages.report(model) };
    },

    async renderReport(request, context) {
      const target = targetOf(request, context);
      const { knownEntityTags } = request;
      const wanted = { ...readerOf(request), form: toReportForm(request) };
      return renderForCaller(deps, context, { form: wanted.form, knownEntityTags }, async () => {
        const renderRequest = await getRenderRequest(deps, target, wanted, deadlineOf(context));
        context.auditSubjects.push({ sessionId: renderRequest.model.sessionId ?? undefined });
        return renderRequest;
      });
    },

    async createReportLink({ product, sessionId, ...asked }, context) {
      const pagesUrl = deps.pagesUrl();
      const address = addressOf({ product, sessionId }, context);
      const { linkToken, expiresAt } = await createReportLink(deps, address, asked, deadlineOf(context));
      return { reportUrl: `${pagesUrl}/reports/${linkToken}`, expiresAt: toTimestamp(expiresAt) };
    },

    async revokeReportLinks(request, context) {
      await revokeReportLinks(deps, addressOf(request, context), deadlineOf(context));
      return {};
    },

    async setIntention({ product, sessionId, ...asked }, context) {
      const address = addressOf({ product, sessionId }, context);
      await getSessionResults(deps, address, deadlineOf(context));
      return { intention: toIntention(await setIntention(deps, address, asked, deadlineOf(context))) };
    },

    async getIntention(request, context) {
      const address = addressOf(request, context);
      await getSessionResults(deps, address, deadlineOf(context));
      const intention = await deps.reportAccess.findIntention(address, deadlineOf(context).signal);
      if (intention === undefined) throw notFound();
      return { intention: toIntention(intention) };
    },

    async setOwnIntention(asked, context) {
      await setIntention(deps, reportBrowserSessionOf(context), asked, deadlineOf(context));
      return {};
    },

    async exchangeReportLink({ linkToken }, context) {
      const find = () => findReportLink(deps, linkToken, deadlineOf(context));
      const link = await findCountedLink(deps, context.origin.address, find);
      const { visitToken, expiresAt } = await openReportBrowserSession(deps, link, deadlineOf(context));
      deps.limits.strangers.prove(visitToken);
      const frameAncestors = await frameAncestorsOf(deps, link.partnerId, deadlineOf(context));
      return { sessionId: link.sessionId, visitToken, expiresAt: toTimestamp(expiresAt), frameAncestors };
    },

    async renderOwnReport({ languages, timeZone, ...asked }, context) {
      refuseIfAny(reportRequestViolations({ timeZone }));
      const browserSession = reportBrowserSessionOf(context);
      const form = toOwnReportForm(
        asked,
        { isTest: isTestTwin(browserSession.partnerId), isByLink: browserSession.linkHash !== null },
        deps.clock(),
      );
      const caller = callerOf(browserSession.partnerId, browserSession.sessionId);
      using _slot = await takeRenderingSlot(deps, form, caller, context);
      const { request, frameAncestors } = await viewOwnReport(
        deps,
        browserSession,
        { languages, timeZone, form },
        deadlineOf(context),
      );
      // The rest needs no connection to the database.
      context.leaveSlot();
      const { mediaType, body, fileName, policy = "" } = await deps.renderer.renderReport(request);
      const { language } = request.model;
      const mayBeShown = { contentSecurityPolicy: policy, frameAncestors: [...frameAncestors] };
      return { mediaType, body, fileName, language, ...mayBeShown };
    },
  };
}

function toIntention({ step, lookAgainOn }: Intention) {
  return { step, lookAgainOn: lookAgainOn ?? undefined };
}

type Wanted = Pick<GetReportRequest, "product" | "session"> | Pick<RenderReportRequest, "product" | "session">;

function targetOf({ product, session }: Wanted, context: PipelineCall): ReportTarget {
  const { partnerId } = principalOf(context);
  if (session.case === "sessionId") return { partnerId, product, sessionId: session.value.toLowerCase() };
  if (session.case === "externalId") return { partnerId, product, externalId: session.value };
  throw notFound();
}

function addressOf({ product, sessionId }: { product: string; sessionId: string }, context: PipelineCall) {
  return { partnerId: principalOf(context).partnerId, product, sessionId: sessionId.toLowerCase() };
}

/** The reader of the report: the requested language, and what to print on it. Throws `invalid_request`. */
function readerOf(
  request: Omit<ReportRequest, "locale"> & Pick<GetReportRequest, "locale" | "languages">,
): ReportReader {
  const { locale, languages, name, date, timeZone } = request;
  refuseIfAny(reportRequestViolations({ locale, name, date, timeZone }));
  return { languages: locale === undefined ? languages : [locale, ...languages], person: { name, date, timeZone } };
}
