// ReportService: reports, links to them, what a link opens, and pictures that people share: anybody with its URL sees one.
import { createPersonSecret, hashSecret } from "../../domain/identity/secrets.ts";
import type { ReportService, SetIntentionRequest } from "../../gen/assessment/v1/report_service_pb.ts";
import { toCaller, toNetwork } from "../../kernel/calls/core.ts";
import { type Deadline, dayMs } from "../../kernel/environment.ts";
import { notFoundError, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { linkExpiredError, resolveLink } from "../../pipeline/auth/browser-session.ts";
import type { ServiceImpl, SessionCall } from "../../pipeline/call.ts";
import type { ReportBrowserSession, ReportLink } from "../../store/reports/report-access-store.ts";
import type { CallDependencies } from "../dependencies.ts";
import { openBrowserSession } from "../hosted/session-links.ts";
import { explainResults } from "../sessions/results.ts";
import { getSession, requireResults, type SessionRef, toSessionRef } from "../sessions/sessions.ts";
import { readOwnReport, toCalendarFile, toCircleFile, toOwnRenderOptions, toPageOptions } from "./own-report.ts";
import { renderForCaller, renderInSlot, toRenderOptions } from "./render-report.ts";
import { findIntentionViolations, findReportRequestViolations, readLanguages } from "./report-request.ts";
import { buildReport, getReport } from "./reports.ts";

const maxLinksPerSession = 10;
/** The validity of a link unless its request states another time, in seconds. */
const defaultLinkSeconds = 7 * 24 * 3_600;
/** A shared picture expires by itself: its person may no longer be able to open the report that unshares it. */
const cardLifetimeMs = 90 * dayMs;
/** Times of views are kept to the minute. */
const minuteMs = 60_000;
const noPrintOptions = { name: null, day: null, timeZone: null };

/** The implementation of ReportService. */
export function createReportService(deps: CallDependencies): ServiceImpl<typeof ReportService> {
  const { reportAccess } = deps;
  const links = { kind: "reportLink", find: reportAccess.findLink } as const;
  const cards = { kind: "reportCard", find: reportAccess.findLink } as const;
  return {
    async getReport(request, call) {
      const { model } = await getReport(deps, request, readLanguages(request), call);
      return { report: deps.catalogue.product.messages.toReport(model) };
    },

    async renderReport(request, call) {
      const languages = readLanguages(request);
      const options = toRenderOptions(request);
      const report = await getReport(deps, request, languages, call);
      return renderForCaller(deps, call, { ...report, ...options }, request.knownEntityTags);
    },

    /** Creates a link to the report on a scored session. */
    async createReportLink(request, call) {
      const pagesUrl = deps.pagesUrl();
      const ref = toSessionRef(request, call);
      throwIfInvalid(findReportRequestViolations(request));
      await requireReport(deps, ref, call);
      const { expiresInSeconds = defaultLinkSeconds, locale = null } = request;
      const { name = null, date: day = null, timeZone = null } = request;
      const linkToken = createPersonSecret("reportLink", deps.random, ref.partnerId);
      const createdAt = new Date(deps.clock());
      const expiresAt = new Date(createdAt.getTime() + expiresInSeconds * 1000);
      const { partnerId, sessionId } = ref;
      const options = { locale, name, day, timeZone, card: null };
      const link = { hash: hashSecret(linkToken), partnerId, sessionId, ...options, createdAt, expiresAt };
      await reportAccess.addLink(link, maxLinksPerSession, call.signal);
      return { reportUrl: `${pagesUrl}/reports/${linkToken}`, expiresAt };
    },

    /** Revokes all links to the report, the browser sessions that they opened, and access from the hosted pages. */
    async revokeReportLinks(request, call) {
      const { session } = await getSession(deps, toSessionRef(request, call), call);
      await reportAccess.removeAccess(session, call.signal);
      return {};
    },

    /** Opens the report of a link until the link expires. */
    async exchangeReportLink({ linkToken }, call) {
      const link = await resolveLink(deps, links, linkToken, call);
      return openBrowserSession(deps, "reportBrowserSession", { ...link, linkHash: link.hash }, call);
    },

    async setIntention(request, call) {
      const ref = toSessionRef(request, call);
      await requireReport(deps, ref, call);
      return setIntention(deps, ref, request, call);
    },

    async getIntention(request, call) {
      const ref = toSessionRef(request, call);
      await requireReport(deps, ref, call);
      const intention = await reportAccess.findIntention(ref, call.signal);
      if (intention === undefined) throw notFoundError();
      return { intention };
    },

    async setOwnIntention(request, call) {
      await setIntention(deps, call.reportBrowserSession, request, call);
      return {};
    },

    /** Shares the picture of a browser session's report, or unshares it. Throws `not_acceptable` for answers without a value. */
    async shareOwnCard({ shared, locale: requestedLocale }, call) {
      const browserSession = call.reportBrowserSession;
      const { partnerId, sessionId } = browserSession;
      const locale = requestedLocale ?? browserSession.locale;
      throwIfInvalid(findLocaleViolations(locale ?? undefined));
      if (!shared) {
        await reportAccess.removeCard(browserSession, call.signal);
        return {};
      }
      await readCard(deps, { partnerId, sessionId, locale }, call);
      const card = createPersonSecret("reportCard", deps.random, partnerId);
      const createdAt = new Date(deps.clock());
      const expiresAt = new Date(createdAt.getTime() + cardLifetimeMs);
      const link = { ...noPrintOptions, hash: hashSecret(card), partnerId, sessionId, locale, card };
      if (await reportAccess.addCard({ ...link, createdAt, expiresAt }, browserSession, call.signal)) return {};
      throw notFoundError();
    },

    /** The content of a shared picture, with the look of the partner. */
    async openCard({ cardToken, picture: includesPicture }, call) {
      const link = await resolveLink(deps, cards, cardToken, call);
      const { partnerId } = link;
      const { model, words, branding } = await readCard(deps, link, call).catch(async (error: unknown) => {
        // Deleting the answers or the results also removes the picture.
        throw error instanceof Refusal && error.code === "not_found" ? await linkExpiredError(deps, link, call) : error;
      });
      const request = { model, branding, format: "png", picture: "card" } as const;
      const caller = toCaller(partnerId, toNetwork(call.origin.address));
      const picture = includesPicture ? (await renderInSlot(deps, call, request, caller)).body : new Uint8Array(0);
      const cardBranding = { ...branding, comparison: null, frameAncestors: [], offerLongForm: false };
      const { language } = model;
      return { ...words, language, branding: cardBranding, testData: isTestTwin(partnerId), picture };
    },

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
      const rendering = () => renderInSlot(deps, call, request, caller);
      const { mediaType, body, fileName, policy = "" } = await call.runWithoutSlot(rendering);
      const { partnerId, sessionId, linkHash } = browserSession;
      const viewedAt = new Date(Math.floor(deps.clock() / minuteMs) * minuteMs);
      await reportAccess.recordView({ partnerId, sessionId, linkHash, viewedAt }, call.signal);
      const { language } = request.model;
      return { mediaType, body, fileName, language, contentSecurityPolicy: policy, frameAncestors };
    },
  };
}

/** A picture, and what it shows in words. Throws `not_found` and `not_acceptable`. */
async function readCard(
  deps: CallDependencies,
  { partnerId, sessionId, locale }: Pick<ReportLink, "partnerId" | "sessionId" | "locale">,
  deadline: Deadline,
) {
  const explanation = explainResults(deps, await getSession(deps, { partnerId, sessionId }, deadline));
  const branding = await deps.brandings.findBranding(partnerId, deadline.signal);
  const ownBranding = { ...branding, supportText: null, comparison: "none" } as const;
  const languages = locale === null ? [] : [locale];
  const report = await buildReport(deps, explanation, ownBranding, { languages }, deadline);
  const words = deps.catalogue.product.writePosterText(report.model);
  if (words === null) throw new Refusal("not_acceptable", "These answers name no value that a picture could show.");
  return { ...report, words };
}

/** Throws `not_found` unless the session has results: without them there is nothing to read. */
async function requireReport(deps: CallDependencies, ref: SessionRef, deadline: Deadline) {
  requireResults(deps, (await getSession(deps, ref, deadline)).session);
}

/** Stores the step that a person chose after their report, or removes it. Throws `invalid_request`; `not_found`: no results. */
async function setIntention(
  deps: CallDependencies,
  session: Pick<ReportBrowserSession, "partnerId" | "sessionId">,
  request: Pick<SetIntentionRequest, "step" | "lookAgainOn">,
  { now, signal }: SessionCall,
) {
  throwIfInvalid(findIntentionViolations(request));
  const intention = { step: request.step.trim(), lookAgainOn: request.lookAgainOn ?? null, setAt: new Date(now()) };
  const save = () => deps.reportAccess.saveIntention(session, intention, signal);
  if (!(await deps.writes.run(session.sessionId, signal, save))) throw notFoundError();
  return { intention };
}
