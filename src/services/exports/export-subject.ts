// All that is held of a person: what they may ask their partner for.

import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { beginningOf, type CuttablePage, cuttablePage, settledId } from "../../domain/exports/position.ts";
import { hasAnswer } from "../../domain/sessions/answers.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import type { Clock, Deadline, ReportDefect } from "../../kernel/environment.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import type { Quality, Results, ResultsExplanation } from "../../products/product.ts";
import type { SubjectRecord, SubjectRecordStore } from "../../store/exports/subject-record-store.ts";
import type { NormStore } from "../../store/norms/norm-store.ts";
import { type Comparison, findComparison, type NormsDeps } from "../norms/norms.ts";
import { type NormRole, rolesOf } from "../norms/people.ts";
import { qualityOf } from "../sessions/results.ts";
import type { ExportQuery } from "./export-sessions.ts";

export const defaultSubjectPageSize = 10;
/** Views of a report that are told of a session. */
const maxViews = 1000;

export interface SubjectExportDeps extends NormsDeps {
  readonly norms: Pick<NormStore, "findNumbers" | "findRun" | "listSessions">;
  readonly reportDefect: ReportDefect;
  readonly clock: Clock;
  readonly subjectRecords: SubjectRecordStore;
  /** Lets others have their turn: a session takes some milliseconds of computing. */
  readonly yieldToCalls: () => Promise<void>;
}

/** What answers and results tell together. */
export interface Insight {
  readonly explanation: ResultsExplanation;
  readonly quality: Quality;
}

export interface ExportedSubjectRecord {
  readonly record: SubjectRecord;
  readonly assessment: PublishedAssessment;
  /** Null until scored, and once they are deleted. */
  readonly results: Results | null;
  /** Null without results, and once the answers are deleted. */
  readonly insight: Insight | null;
  readonly normRole: NormRole;
}

export interface SubjectExportPage extends CuttablePage {
  /** The first created first. There may be fewer than asked for, or none, although there are more. */
  readonly sessions: readonly ExportedSubjectRecord[];
}

/**
 * A page of all that is held of a person in a product. Throws `not_found` for an unknown person, for another partner's
 * and for one without a session in the product alike, and `invalid_request`.
 */
export async function exportSubject(
  deps: SubjectExportDeps,
  person: { readonly partnerId: string; readonly product: string; readonly externalId: string },
  query: Pick<ExportQuery, "after" | "pageSize">,
  deadline: Deadline,
): Promise<SubjectExportPage> {
  const { subjectRecords, catalogue } = deps;
  await catalogue.published(person.product);
  const size = query.pageSize === 0 ? defaultSubjectPageSize : query.pageSize;
  const now = deps.clock();
  const mark = settledId(now);
  const begin = beginningOf(query.after, now, mark);
  const found = await subjectRecords.listSubjectRecords(person, begin.position, size, maxViews, deadline.signal);
  const isEnd = found.length < size;
  const norms = new PageNorms(deps, deadline);
  const roleOf = await rolesOf(deps, person, deadline);
  const sessions: ExportedSubjectRecord[] = [];
  for (const record of found) {
    const assessment = await catalogue.byId(record.session.assessmentId);
    if (assessment.product !== person.product) continue;
    const results = record.results === null ? null : catalogue.product.results.decode(record.results);
    const insight = results === null ? null : await insightInto(results, record.session, assessment, norms);
    sessions.push({ record, assessment, results, insight, normRole: roleOf(record.session) });
    await deps.yieldToCalls();
  }
  if (sessions.length === 0 && isEnd && query.after === "") throw notFound();
  const ids = sessions.map(({ record }) => record.session.id);
  return { sessions, ...cuttablePage(begin, ids, { last: found.at(-1)?.session.id ?? begin.position, isEnd, mark }) };
}

async function insightInto(
  results: Results,
  session: StoredSession,
  assessment: PublishedAssessment,
  norms: PageNorms,
): Promise<Insight | null> {
  if (!hasAnswer(session.answers)) return null;
  const explanation = assessment.explain(session.answers, results);
  return { explanation, quality: await qualityOf(session, assessment, () => norms.of(session)) };
}

/** Norms that sessions of a page are compared with, each read once. */
class PageNorms {
  readonly #deps: NormsDeps;
  readonly #deadline: Deadline;
  readonly #found = new Map<string, Comparison | null>();

  constructor(deps: NormsDeps, deadline: Deadline) {
    this.#deps = deps;
    this.#deadline = deadline;
  }

  async of(session: StoredSession): Promise<Comparison | null> {
    const key = `${session.assessmentId} ${session.shownLanguage}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = await findComparison(this.#deps, session, this.#deadline);
    this.#found.set(key, found);
    return found;
  }
}
