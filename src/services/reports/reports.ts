// Reports: results for the people themselves. A caller can read those of its own partner only, and none before a session
// is scored.

import type { Message } from "@bufbuild/protobuf";
import type { Branding } from "../../domain/hosted/branding.ts";
import type { GetReportRequest } from "../../gen/assessment/v1/report_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { notFoundError } from "../../kernel/errors/refusal.ts";
import type { PipelineCall } from "../../pipeline/call.ts";
import type { RenderRequest, ReportComparison, ReportInput, ReportModel } from "../../products/product.ts";
import type { CallDependencies } from "../dependencies.ts";
import { findComparison } from "../norms/norms.ts";
import { compareWithNorms, type ExplainedSession, explainResults, toComparable } from "../sessions/results.ts";
import { getSession } from "../sessions/sessions.ts";

/** The options of a rendering, apart from the model. */
export type RenderOptions = Omit<RenderRequest, "model" | "branding">;

/**
 * The report on a scored session, or on the person's last completed one, with the partner's text on where to get help, and
 * the partner's branding. Throws `not_found`. What to print on it is used for this one report and not stored.
 * @param languages of its readers, the preferred one first; the session's own locale comes after them
 */
export async function getReport(
  deps: CallDependencies,
  { product, session, name, date, timeZone }: Omit<GetReportRequest, keyof Message>,
  languages: readonly string[],
  call: PipelineCall,
): Promise<Pick<RenderRequest<ReportModel>, "model" | "branding">> {
  const { partnerId, signal } = call;
  const sessionId =
    session.case === "externalId"
      ? (await deps.sessions.findLatestCompleted(product, partnerId, session.value, signal))?.id
      : session.value?.toLowerCase();
  if (sessionId === undefined) throw notFoundError();
  const explanation = explainResults(deps, await getSession(deps, { partnerId, product, sessionId }, call));
  const comparison = await findReportComparison(deps, explanation, call);
  const branding = await deps.brandings.findBranding(partnerId, signal);
  const person = { name, date, timeZone };
  const report = await buildReport(deps, explanation, branding, { languages, comparison, person }, call);
  call.auditSubjects.push({ sessionId: explanation.session.id });
  return report;
}

/** The report on a scored session; compared with norms if the partner's branding says so. */
export async function buildReport(
  deps: CallDependencies,
  { explanation, quality, session, assessment }: ExplainedSession,
  branding: Branding,
  {
    languages,
    ...parts
  }: { readonly languages: readonly string[] } & Pick<ReportInput, "sharing" | "comparison" | "person" | "steps">,
  deadline: Deadline,
): Promise<Pick<RenderRequest<ReportModel>, "model" | "branding">> {
  if (session.completedAt === null) throw notFoundError();
  const norms =
    branding.comparison === "others" && quality.error !== null ? await findComparison(deps, session, deadline) : null;
  const model = assessment.createReport({
    assessmentVersion: assessment.version,
    form: assessment.form,
    explanation,
    quality: compareWithNorms({ session, assessment }, quality, norms),
    session: { id: session.id, completedAt: session.completedAt },
    shownLanguage: session.shownLanguage,
    locales: session.locale === null ? languages : [...languages, session.locale],
    support: branding.supportText,
    ...parts,
  });
  return { model, branding: toReportBranding(branding) };
}

/** The parts of a branding that change how a report looks. */
export function toReportBranding({ displayName, logoUrl, accentColor }: Branding): RenderRequest["branding"] {
  return { displayName, logoUrl, accentColor };
}

/** The comparison with the previous session. Null: there is none, its answers are deleted, or the person is not known. */
export async function findReportComparison(
  deps: CallDependencies,
  { session, assessment }: ExplainedSession,
  deadline: Deadline,
): Promise<(ReportComparison & { readonly sessionId: string }) | null> {
  const { id, completedAt, externalId, partnerId, assessmentId } = session;
  if (completedAt === null || externalId === null) return null;
  const later = { product: assessment.product, partnerId, externalId, id, completedAt, assessmentId };
  const before = await deps.sessions.findCompletedBefore(later, deadline.signal);
  if (before === undefined || before.completedAt === null || before.answersDeletedAt !== null) return null;
  const earlier = { session: before, assessment: await deps.catalogue.getById(before.assessmentId) };
  const { statements } = assessment.compare(toComparable(earlier), toComparable({ session, assessment }));
  return { sessionId: before.id, since: before.completedAt, statements };
}
