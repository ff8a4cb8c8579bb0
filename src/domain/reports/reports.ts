// Reports: results for the people themselves. A caller reaches those of its own partner only, and none before a session
// is scored.

import type { Deadline } from "../../kernel/environment.ts";
import { PictureUnavailable } from "../../products/values-bridge/report/drawing/pictures.ts";
import {
  quickPlace,
  type RenderedReport,
  type RenderingClaimant,
  type RenderingPlace,
  RenderingUnavailable,
  type RenderRequest,
  type ReportRenderer,
  TextUnprintable,
} from "../../products/values-bridge/report/rendering.ts";
import { reportModel } from "../../products/values-bridge/report/report.ts";
import type { ReportInput } from "../../products/values-bridge/report/report-input.ts";
import type { ReportModel } from "../../products/values-bridge/report/report-model.ts";
import { DomainError, notFound } from "../errors.ts";
import { neutralBranding } from "../hosted/branding.ts";
import type { BrandingStore } from "../hosted/branding-port.ts";
import { knownArrivals } from "../sessions/recording.ts";
import { type ExplainedSession, getExplainedResults } from "../sessions/results/explanations.ts";
import { wholeSheet } from "../sessions/results/quality.ts";
import type { SessionDeps } from "../sessions/sessions.ts";

export interface ReportDeps extends Pick<SessionDeps, "sessions" | "catalogue" | "reportDefect"> {
  readonly brandings: Pick<BrandingStore, "findBranding">;
  readonly renderer: ReportRenderer;
}

/** Names the session of a report, or the person whose session was completed last. */
export type ReportTarget = { readonly partnerId: string; readonly product: string } & (
  | { readonly sessionId: string }
  | { readonly externalId: string }
);

/** How a report is rendered, beside its model. */
export type ReportForm = Omit<RenderRequest, "model" | "branding">;

const retryAfterSeconds = 1;

/**
 * The report on a scored session. Throws `not_found`.
 * @param languages of the reader, the preferred one first; the session's own locale comes behind them
 */
export async function getReport(
  deps: Pick<ReportDeps, "sessions" | "catalogue" | "reportDefect">,
  target: ReportTarget,
  languages: readonly string[],
  deadline: Deadline,
): Promise<ReportModel> {
  return modelOf(await findScored(deps, target, deadline), languages);
}

/** The model of the report on a scored session. */
export function modelOf(
  { results, explanation, session, assessment }: ExplainedSession,
  languages: readonly string[],
  more: Pick<ReportInput, "sharing"> = {},
): ReportModel {
  if (session.completedAt === null) throw notFound();
  return reportModel({
    definition: assessment.definition,
    assessmentVersion: assessment.version,
    results,
    explanation,
    quality: assessment.quality().assess(wholeSheet(session, assessment), knownArrivals(session)),
    session: { id: session.id, completedAt: session.completedAt },
    locales: session.locale === null ? languages : [...languages, session.locale],
    ...more,
  });
}

/** What a report is rendered from: its model, and how the partner's pages look. Throws `not_found`. */
export async function getRenderRequest(
  deps: ReportDeps,
  target: ReportTarget,
  { languages, form }: { readonly languages: readonly string[]; readonly form: ReportForm },
  deadline: Deadline,
): Promise<RenderRequest> {
  const model = await getReport(deps, target, languages, deadline);
  const branding = (await deps.brandings.findBranding(target.partnerId, deadline.signal)) ?? neutralBranding;
  return { model, branding, ...form };
}

/**
 * A place for a report that is rendered, to be taken before it is read. Throws `unavailable`.
 * @param isKnown whether the caller has a report already: all it needs may be to hear that it is the same still
 */
export function takeRenderingPlace(
  { renderer }: Pick<ReportDeps, "renderer">,
  { format }: Pick<ReportForm, "format">,
  claimant: RenderingClaimant,
  isKnown: boolean,
): RenderingPlace {
  try {
    return isKnown ? quickPlace : renderer.takePlace(format, claimant);
  } catch (error) {
    throw asDomainError(error);
  }
}

/** Makes what is rendered, in the turn of a place. Throws `unavailable` if the place is lost, and what `make` throws. */
export async function inRenderingTurn<T>(place: RenderingPlace, make: () => Promise<T>): Promise<T> {
  try {
    return await place.inTurn(make);
  } catch (error) {
    throw asDomainError(error);
  }
}

/** Renders a report. Throws `not_acceptable` if it cannot be had in the form, and `unavailable`. */
export async function renderReport(
  { renderer }: Pick<ReportDeps, "renderer">,
  request: RenderRequest,
  place: RenderingPlace,
): Promise<RenderedReport> {
  try {
    return await renderer.renderReport(request, place);
  } catch (error) {
    throw asDomainError(error);
  }
}

/** The refusal of a report in a form that there is none of. */
export function notAcceptable(detail: string): DomainError {
  return new DomainError("not_acceptable", detail);
}

function asDomainError(cause: unknown): unknown {
  if (cause instanceof PictureUnavailable) {
    return notAcceptable("These results were stored without the scores that a picture needs. Other formats list them.");
  }
  if (cause instanceof TextUnprintable) {
    return notAcceptable("The font of PDF and PNG lacks a letter of this report. HTML and SVG show it.");
  }
  if (!(cause instanceof RenderingUnavailable)) return cause;
  const detail = "Too many reports are being made. Try again in a second.";
  return new DomainError("unavailable", detail, { retryAfterSeconds, cause });
}

async function findScored(
  deps: Pick<ReportDeps, "sessions" | "catalogue" | "reportDefect">,
  target: ReportTarget,
  deadline: Deadline,
): Promise<ExplainedSession> {
  const { partnerId, product } = target;
  if ("sessionId" in target) return getExplainedResults(deps, target, deadline);
  const outcome = await deps.sessions.findLatestOutcome(product, partnerId, target.externalId, deadline.signal);
  if (outcome === undefined) throw notFound();
  return getExplainedResults(deps, { partnerId, product, sessionId: outcome.sessionId }, deadline);
}
