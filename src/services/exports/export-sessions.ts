// Exports: all sessions of a partner, page after page. No connection or transaction is held between two pages, so a
// reader may take its time.

import { setImmediate as yieldToCalls } from "node:timers/promises";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { hasAnswer, listRatingsByPosition } from "../../domain/sessions/answers.ts";
import type { Ratings } from "../../domain/sessions/session.ts";
import { AssessmentForm } from "../../gen/assessment/v1/assessment_pb.ts";
import { ExportedSessionSchema, type ExportSessionsRequest } from "../../gen/assessment/v1/export_service_pb.ts";
import { fromModel } from "../../json/messages.ts";
import { notFoundError } from "../../kernel/errors/refusal.ts";
import type { SessionCall } from "../../pipeline/call.ts";
import type { StoredExport } from "../../store/exports/export-store.ts";
import { readAllRows } from "../all-rows.ts";
import { toAssessmentForm } from "../assessments/assessment-service.ts";
import { sessionsPerYield } from "../batch-sizes.ts";
import type { Dependencies } from "../dependencies.ts";
import { describeHead } from "../sessions/sessions.ts";
import { readExportPage } from "./export-page.ts";

/** Rows of one statement: the driver parses all received rows in one go, which takes a millisecond for this many. */
export const rowsAtATime = 50;

const defaultPageSize = 200;

const toExported = fromModel(ExportedSessionSchema);

/** A page of the sessions of a partner, by id. Throws `invalid_request`, `not_found`. */
export async function exportSessions(deps: Dependencies, request: ExportSessionsRequest, call: SessionCall) {
  const { partnerId, signal } = call;
  const { exports, catalogue } = deps;
  const { product, version, withoutAnswers, withoutResults } = request;
  const publishedAssessment = await catalogue.getPublished(product);
  if (version !== undefined && version > publishedAssessment.version) throw notFoundError();
  const groupId = request.groupId?.toLowerCase();
  const { messages, results: codec } = catalogue.product;
  const isIncluded = ({ product: ownProduct, version: ownVersion, form }: PublishedAssessment) =>
    ownProduct === product &&
    (version === undefined || ownVersion === version) &&
    (request.form === AssessmentForm.UNSPECIFIED || form === toAssessmentForm(request.form));
  const toMessage = (session: StoredExport, assessment: PublishedAssessment) => {
    const hasQuality = session.completedAt !== null && hasAnswer(session.answers);
    const quality = hasQuality
      ? assessment.getQuality().judge(listRatingsByPosition(session, assessment), session.arrivals)
      : undefined;
    const results = withoutResults ? null : session.results;
    return toExported({
      ...describeHead({ session, assessment }, call.now()),
      firstLifeContext: assessment.questions[0]?.valuesBridgeConfig.lifeContext ?? null,
      grade: quality?.grade,
      secondsPerAnswer: quality?.secondsPerAnswer,
      answers: withoutAnswers ? [] : toExportedAnswers(assessment, session.answers),
      results: results && messages.toResults(codec.decode(results)),
    });
  };
  const pageSize = request.pageSize || defaultPageSize;
  const readRows = async function* (after: string) {
    const limit = Math.min(pageSize, rowsAtATime);
    const rows = readAllRows<StoredExport>(limit, (last) =>
      exports.listExports(partnerId, groupId, last?.id ?? after, limit, signal),
    );
    let readCount = 0;
    for await (const session of rows) {
      const assessment = await catalogue.getById(session.assessmentId);
      readCount += 1;
      if (readCount % sessionsPerYield === 0) await yieldToCalls();
      yield [session.id, isIncluded(assessment) ? toMessage(session, assessment) : undefined] as const;
    }
  };
  return readExportPage(deps, ExportedSessionSchema, request.after, pageSize, readRows);
}

/** The given answers, in the order of the questions. */
function toExportedAnswers({ questions }: PublishedAssessment, answers: Ratings) {
  return questions.flatMap(({ id: questionId }, index) => {
    const value = answers[index] ?? null;
    return value === null ? [] : [{ questionId, value }];
  });
}
