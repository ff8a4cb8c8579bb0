// ReportService: messages in, use cases of the domain, messages out.
import { notFound, refuseIfAny } from "../../domain/errors.ts";
import {
  createReportLink,
  findReportLink,
  type ReportLinkDeps,
  revokeReportLinks,
} from "../../domain/reports/report-links.ts";
import { openReportVisit, type ReportVisitDeps, viewOwnReport } from "../../domain/reports/report-visits.ts";
import {
  getRenderRequest,
  getReport,
  type ReportDeps,
  type ReportTarget,
  renderReport,
  takeRenderingPlace,
} from "../../domain/reports/reports.ts";
import {
  type GetReportRequest,
  type RenderReportRequest,
  ReportService,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { reportRequestFaults } from "../../kernel/requests/report-request.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import { findCountedLink, type VisitAuthenticationDeps } from "../../pipeline/auth/visit.ts";
import { type Call, type Handlers, implement, principalOf, reportVisitOf } from "../../pipeline/implementation.ts";
import { toReportMessage } from "../../products/values-bridge/messages/report.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { toOwnReportForm, toReportForm } from "./report-messages.ts";

export interface ReportServiceDeps extends ReportDeps, ReportLinkDeps, ReportVisitDeps, VisitAuthenticationDeps {
  /** Address at which the token of a link opens the report. */
  readonly reportUrl: (linkToken: string) => string;
}

/** The implementation of ReportService. */
export function reportService(deps: ReportServiceDeps): Handlers {
  return implement(ReportService, {
    async getReport(request, call) {
      const target = targetOf(request, call);
      const languages = languagesOf(request, []);
      const model = await getReport(deps, target, languages, call.deadline);
      call.concerns({ sessionId: model.sessionId ?? undefined });
      return { report: toReportMessage(model) };
    },

    async renderReport(request, call) {
      const target = targetOf(request, call);
      const { knownEntityTags } = request;
      const languages = languagesOf(request, knownEntityTags);
      const wanted = { languages, form: toReportForm(request) };
      using place = takeRenderingPlace(deps, wanted.form, knownEntityTags.length > 0);
      const renderRequest = await place.inTurn(() => getRenderRequest(deps, target, wanted, call.deadline));
      const { language, sessionId } = renderRequest.model;
      call.concerns({ sessionId: sessionId ?? undefined });
      const { entityTag, mediaType, fileName } = deps.renderer.describe(renderRequest);
      const head = { mediaType, fileName, entityTag, language };
      if (knownEntityTags.includes(entityTag) || knownEntityTags.includes("*")) return { ...head, notModified: true };
      // What is left to do needs no connection to the database.
      call.leavePlace();
      const { body } = await renderReport(deps, renderRequest);
      return { ...head, body };
    },

    async createReportLink({ product, sessionId, expiresInSeconds, locale }, call) {
      const address = addressOf({ product, sessionId }, call);
      const { linkToken, expiresAt } = await createReportLink(
        deps,
        address,
        { expiresInSeconds, locale },
        call.deadline,
      );
      return { reportUrl: deps.reportUrl(linkToken), expiresAt: toTimestamp(expiresAt) };
    },

    async revokeReportLinks(request, call) {
      await revokeReportLinks(deps, addressOf(request, call), call.deadline);
      return {};
    },

    async exchangeReportLink({ linkToken }, call) {
      const find = () => findReportLink(deps, linkToken, call.deadline);
      const link = await findCountedLink(deps, call.origin.address, find);
      const { visitToken, expiresAt } = await openReportVisit(deps, link, call.deadline);
      return { sessionId: link.sessionId, visitToken, expiresAt: toTimestamp(expiresAt) };
    },

    async renderOwnReport({ languages, format, paper, pdfPath }, call) {
      refuseIfAny(reportRequestFaults({ locale: undefined, languages, knownEntityTags: [] }));
      const visit = reportVisitOf(call);
      const form = toOwnReportForm({ format, paper, pdfPath }, isTestTwin(visit.partnerId));
      using place = takeRenderingPlace(deps, form, false);
      const renderRequest = await place.inTurn(() => viewOwnReport(deps, visit, { languages, form }, call.deadline));
      // What is left to do needs no connection to the database.
      call.leavePlace();
      const { mediaType, body, fileName, policy = "" } = await renderReport(deps, renderRequest);
      const { language } = renderRequest.model;
      return { mediaType, body, fileName, language, contentSecurityPolicy: policy };
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

function addressOf({ product, sessionId }: { product: string; sessionId: string }, call: Call) {
  return { partnerId: principalOf(call).partnerId, product, sessionId: sessionId.toLowerCase() };
}

/** The languages of the reader, the one that is asked for first. Throws `invalid_request`. */
function languagesOf(
  { locale, languages }: Pick<GetReportRequest, "locale" | "languages">,
  knownEntityTags: readonly string[],
): string[] {
  refuseIfAny(reportRequestFaults({ locale, languages, knownEntityTags }));
  return locale === undefined ? languages : [locale, ...languages];
}
