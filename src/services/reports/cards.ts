// The picture that a person shares: it is made and taken back on the page of their report, and whoever has its address sees it.
import { hashSecret, newPersonSecret } from "../../domain/identity/secrets.ts";
import type { ShareOwnCardRequest } from "../../gen/assessment/v1/report_service_pb.ts";
import { type Deadline, dayMs } from "../../kernel/environment.ts";
import { notFound, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { localeViolations } from "../../kernel/formats.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { toCaller, toNetwork } from "../../kernel/limits/caller.ts";
import { linkExpiredError } from "../../pipeline/auth/browser-session.ts";
import type { PipelineCall } from "../../pipeline/call.ts";
import type { ReportBrowserSession, ReportLink } from "../../store/reports/report-access-store.ts";
import type { Needs } from "../dependencies.ts";
import { explain } from "../sessions/results.ts";
import { getSession } from "../sessions/sessions.ts";
import { render } from "./render-report.ts";
import { buildReport, type ReportDeps } from "./reports.ts";

/** Nobody may be able to reach the report any more from which it is taken back, so it ends by itself. */
const cardLifetimeMs = 90 * dayMs;

type CardDeps = ReportDeps & Needs<"reportAccess" | "clock">;

/**
 * Shares the picture of a browser session's report, or takes it back. Throws `invalid_request`, `not_acceptable`, and `not_found`
 * once the results are deleted or the browser session is over.
 */
export async function shareCard(
  deps: CardDeps & Needs<"random">,
  browserSession: ReportBrowserSession,
  { shared, locale = browserSession.locale ?? undefined }: ShareOwnCardRequest,
  deadline: Deadline,
) {
  const { partnerId, sessionId } = browserSession;
  throwIfInvalid(localeViolations(locale));
  if (!shared) return void (await deps.reportAccess.removeCard(browserSession, deadline.signal));
  await readCard(deps, { partnerId, sessionId, locale: locale ?? null }, deadline);
  const card = newPersonSecret("reportCard", deps.random, partnerId);
  const createdAt = new Date(deps.clock());
  const expiresAt = new Date(createdAt.getTime() + cardLifetimeMs);
  const noPrint = { name: null, day: null, timeZone: null };
  const link = { ...noPrint, hash: hashSecret(card), partnerId, sessionId, locale: locale ?? null, card };
  const isShared = await deps.reportAccess.addCard({ ...link, createdAt, expiresAt }, browserSession, deadline.signal);
  if (!isShared) throw notFound();
}

/** What a shared picture shows, and of the partner what the picture shows too. Throws `not_found`, `not_acceptable`. */
export async function showCard(deps: CardDeps, link: ReportLink, includesPicture: boolean, call: PipelineCall) {
  const { partnerId } = link;
  const { model, words, branding } = await readCard(deps, link, call).catch(async (error: unknown) => {
    // Who deletes the answers or results ends the picture of them.
    throw error instanceof Refusal && error.code === "not_found" ? await linkExpiredError(deps, link, call) : error;
  });
  const request = { model, branding, format: "png", picture: "card" } as const;
  const caller = toCaller(partnerId, toNetwork(call.origin.address));
  const picture = includesPicture ? (await render(deps, call, request, caller)).body : new Uint8Array(0);
  const cardBranding = { ...branding, comparison: null, frameAncestors: [], offerLongForm: false };
  const { language } = model;
  return { ...words, language, branding: cardBranding, testData: isTestTwin(partnerId), picture };
}

async function readCard(
  deps: CardDeps,
  { partnerId, sessionId, locale }: Pick<ReportLink, "partnerId" | "sessionId" | "locale">,
  deadline: Deadline,
) {
  const explanation = explain(deps, await getSession(deps, { partnerId, sessionId }, deadline));
  const branding = await deps.brandings.findBranding(partnerId, deadline.signal);
  const ownBranding = { ...branding, supportText: null, comparison: "none" } as const;
  const languages = locale === null ? [] : [locale];
  const report = await buildReport(deps, explanation, ownBranding, { languages }, deadline);
  const words = deps.catalogue.product.cardWords(report.model);
  if (words === null) throw new Refusal("not_acceptable", "These answers name no value that a picture could show.");
  return { ...report, words };
}
