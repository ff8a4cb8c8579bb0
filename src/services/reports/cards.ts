// The picture that a person shares: shared and unshared on the page of their report, and visible to anybody with its URL.
import { createPersonSecret, hashSecret } from "../../domain/identity/secrets.ts";
import type { ReportService } from "../../gen/assessment/v1/report_service_pb.ts";
import { toCaller, toNetwork } from "../../kernel/calls/core.ts";
import { type Deadline, dayMs } from "../../kernel/environment.ts";
import { notFoundError, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { linkExpiredError, resolveLink } from "../../pipeline/auth/browser-session.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { ReportLink } from "../../store/reports/report-access-store.ts";
import type { Dependencies } from "../dependencies.ts";
import { explain } from "../sessions/results.ts";
import { getSession } from "../sessions/sessions.ts";
import { render } from "./render-report.ts";
import { buildReport } from "./reports.ts";

/** A shared picture expires by itself: its person may no longer be able to open the report that unshares it. */
const cardLifetimeMs = 90 * dayMs;
const noPrintOptions = { name: null, day: null, timeZone: null };

export function createCardRpcs(deps: Dependencies) {
  const { reportAccess } = deps;
  const cards = { kind: "reportCard", find: reportAccess.findLink } as const;
  return {
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

    /** What a shared picture shows, and of the partner what the picture shows too. */
    async openCard({ cardToken, picture: includesPicture }, call) {
      const link = await resolveLink(deps, cards, cardToken, call);
      const { partnerId } = link;
      const { model, words, branding } = await readCard(deps, link, call).catch(async (error: unknown) => {
        // Deleting the answers or the results also removes the picture.
        throw error instanceof Refusal && error.code === "not_found" ? await linkExpiredError(deps, link, call) : error;
      });
      const request = { model, branding, format: "png", picture: "card" } as const;
      const caller = toCaller(partnerId, toNetwork(call.origin.address));
      const picture = includesPicture ? (await render(deps, call, request, caller)).body : new Uint8Array(0);
      const cardBranding = { ...branding, comparison: null, frameAncestors: [], offerLongForm: false };
      const { language } = model;
      return { ...words, language, branding: cardBranding, testData: isTestTwin(partnerId), picture };
    },
  } satisfies Partial<ServiceImpl<typeof ReportService>>;
}

async function readCard(
  deps: Dependencies,
  { partnerId, sessionId, locale }: Pick<ReportLink, "partnerId" | "sessionId" | "locale">,
  deadline: Deadline,
) {
  const explanation = explain(deps, await getSession(deps, { partnerId, sessionId }, deadline));
  const branding = await deps.brandings.findBranding(partnerId, deadline.signal);
  const ownBranding = { ...branding, supportText: null, comparison: "none" } as const;
  const languages = locale === null ? [] : [locale];
  const report = await buildReport(deps, explanation, ownBranding, { languages }, deadline);
  const words = deps.catalogue.product.writePosterText(report.model);
  if (words === null) throw new Refusal("not_acceptable", "These answers name no value that a picture could show.");
  return { ...report, words };
}
