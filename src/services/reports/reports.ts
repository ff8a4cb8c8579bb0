// Reports: results for the people themselves. A caller can read those of its own partner only, and none before a session
// is scored.

import type { Branding } from "../../domain/hosted/branding.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { notFound, Refusal } from "../../kernel/errors/refusal.ts";
import type {
  RenderRequest,
  ReportComparison,
  ReportInput,
  ReportModel,
  ReportPerson,
} from "../../products/product.ts";
import type { Needs } from "../dependencies.ts";
import { findComparison } from "../norms/norms.ts";
import { comparedOf } from "../sessions/change.ts";
import { type ExplainedSession, getExplainedResults, qualityOf } from "../sessions/results.ts";
import { getSession } from "../sessions/sessions.ts";

export type ReportDeps = Needs<
  "sessions" | "catalogue" | "reportDefect" | "brandings" | "renderer" | "norms" | "normPools"
>;

/** Names the session of a report, or the person whose last completed session it is about. */
export type ReportTarget = { readonly partnerId: string; readonly product: string } & (
  | { readonly sessionId: string }
  | { readonly externalId: string }
);

/** Who reads a report, as far as the request says. */
export interface ReportReader {
  /** The preferred one first. */
  readonly languages: readonly string[];
  /** What to print on it. It is used for this one report and not stored. */
  readonly person: ReportPerson;
}

/** How a report is rendered, apart from its model. */
export type ReportForm = Omit<RenderRequest, "model" | "branding">;

/**
 * The report on a scored session. Throws `not_found`.
 * @param reader the session's own locale comes after their languages
 */
export async function getReport(
  deps: Omit<ReportDeps, "renderer">,
  target: ReportTarget,
  reader: ReportReader,
  deadline: Deadline,
): Promise<ReportModel> {
  return (await getBrandedReport(deps, target, reader, deadline)).model;
}

/** The report, with the partner's text on where to get help, and the partner's branding. */
async function getBrandedReport(
  deps: Omit<ReportDeps, "renderer">,
  target: ReportTarget,
  { languages, person }: ReportReader,
  deadline: Deadline,
): Promise<Pick<RenderRequest<ReportModel>, "model" | "branding">> {
  const explained = await findScored(deps, target, deadline);
  const comparison = await findReportComparison(deps, explained, deadline);
  const branding = await deps.brandings.findBranding(target.partnerId, deadline.signal);
  const model = await modelOf(deps, explained, branding, { languages, comparison, person }, deadline);
  return { model, branding: reportBrandingOf(branding) };
}

/** The model of the report on a scored session; compared with norms if the partner's branding says so. */
export async function modelOf(
  deps: Needs<"catalogue" | "norms" | "normPools">,
  { results, explanation, session, assessment }: ExplainedSession,
  branding: Branding,
  {
    languages,
    ...more
  }: { readonly languages: readonly string[] } & Pick<ReportInput, "sharing" | "comparison" | "person" | "steps">,
  deadline: Deadline,
): Promise<ReportModel> {
  if (session.completedAt === null) throw notFound();
  const isCompared = branding.comparison === "others";
  const findNorms = async () => (isCompared ? findComparison(deps, session, deadline) : null);
  return assessment.report({
    assessmentVersion: assessment.version,
    form: assessment.form,
    results,
    explanation,
    quality: await qualityOf(session, assessment, findNorms),
    session: { id: session.id, completedAt: session.completedAt },
    shownLanguage: session.shownLanguage,
    locales: session.locale === null ? languages : [...languages, session.locale],
    support: branding.supportText,
    ...more,
  });
}

/** What a report is rendered from: its model, and the partner's branding. Throws `not_found`. */
export async function getRenderRequest(
  deps: ReportDeps,
  target: ReportTarget,
  { form, ...reader }: ReportReader & { readonly form: ReportForm },
  deadline: Deadline,
): Promise<RenderRequest<ReportModel>> {
  return { ...(await getBrandedReport(deps, target, reader, deadline)), ...form };
}

/** The parts of a branding that change how a report looks. */
export function reportBrandingOf({ displayName, logoUrl, accentColor }: Branding): RenderRequest["branding"] {
  return { displayName, logoUrl, accentColor };
}

/** The error for a report in a form that does not exist. */
export function notAcceptable(detail: string): Refusal {
  return new Refusal("not_acceptable", detail);
}

async function findScored(
  deps: Needs<"sessions" | "catalogue" | "reportDefect">,
  target: ReportTarget,
  deadline: Deadline,
): Promise<ExplainedSession> {
  const { partnerId, product } = target;
  if ("sessionId" in target) return getExplainedResults(deps, target, deadline);
  const outcome = await deps.sessions.findLatestOutcome(product, partnerId, target.externalId, deadline.signal);
  if (outcome === undefined) throw notFound();
  return getExplainedResults(deps, { partnerId, product, sessionId: outcome.sessionId }, deadline);
}

/** The comparison with the previous session. Null: there is none, its answers are deleted, or the person is not known. */
export async function findReportComparison(
  deps: Needs<"sessions" | "catalogue">,
  { session, assessment }: ExplainedSession,
  deadline: Deadline,
): Promise<(ReportComparison & { readonly sessionId: string }) | null> {
  const { completedAt, externalId, partnerId } = session;
  if (completedAt === null || externalId === null) return null;
  const { product } = assessment;
  const later = { id: session.id, completedAt };
  const outcome = await deps.sessions.findOutcomeBefore(product, partnerId, externalId, later, deadline.signal);
  if (outcome === undefined) return null;
  const before = await getSession(deps, { partnerId, product, sessionId: outcome.sessionId }, deadline);
  const { completedAt: since, answersDeletedAt } = before.session;
  if (since === null || answersDeletedAt !== null) return null;
  const { statements } = assessment.compare(comparedOf(before), comparedOf({ session, assessment }));
  return { sessionId: outcome.sessionId, since, statements };
}
