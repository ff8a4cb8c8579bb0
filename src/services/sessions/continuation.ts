// Continuation: a long session takes over the ratings of a completed short one, and asks the other questions.

import { type PublishedAssessment, toFormId } from "../../domain/assessments/published-assessment.ts";
import { toSubject } from "../../domain/identifiers.ts";
import { mapRatingsByStatement, toStatementKey } from "../../domain/sessions/answers.ts";
import { AssessmentForm } from "../../gen/assessment/v1/assessment_pb.ts";
import type { CreateSessionRequest } from "../../gen/assessment/v1/session_service_pb.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { PartnerCall } from "../../pipeline/call.ts";
import type { StoredGroup } from "../../store/groups/group-statements.ts";
import type { Dependencies } from "../dependencies.ts";
import type { SessionWithAssessment } from "./sessions.ts";

/** The session that a request continues, unless it is gone, and the reason why it cannot be continued. */
interface Continuation {
  readonly shortSession?: SessionWithAssessment;
  readonly violations: readonly Violation[];
}

export const unknownSession: Violation = {
  path: ["continues"],
  code: "unknown_session",
  detail: "There is no such session of this product. If it was erased, create one without `continues`.",
};

/** The session that a request continues, with its answers, or violations. @param group that the new session joins */
export async function findContinuation(
  { sessions, catalogue }: Dependencies,
  { continues, product, subject, form }: CreateSessionRequest,
  group: StoredGroup | null,
  { partnerId, signal }: PartnerCall,
): Promise<Continuation> {
  if (continues === undefined) return { violations: [] };
  const id = parseUuid(continues);
  const session = id && (await sessions.findSession({ partnerId, id }, signal));
  if (!session || session.product !== product) return { violations: [unknownSession] };
  const shortSession = { session, assessment: await catalogue.getById(session.assessmentId) };
  const violations = findContinuationViolations(shortSession);
  const addViolation = (path: readonly string[], code: string, detail: string) =>
    violations.push({ path, code, detail });
  if (form === AssessmentForm.SHORT)
    addViolation(["form"], "unknown_value", "A session that continues another one is long.");
  if (subject?.externalId !== undefined && subject.externalId !== session.externalId) {
    addViolation(["subject", "externalId"], "other_subject", "That session is of another person. Leave `subject` out.");
  }
  const matchesGroup = group === null || group.assessmentId === toFormId(session.assessmentId, "long");
  if (!matchesGroup)
    addViolation(["groupId"], "not_applicable", "The group has another version or form than that session.");
  if (group !== null && toSubject(partnerId, session.externalId).anonymous) {
    addViolation(["groupId"], "not_applicable", "That session is of an anonymous person, and a group counts people.");
  }
  return { shortSession, violations };
}

/** The reason why a session cannot be continued, whoever asks. */
export function findContinuationViolations({ session, assessment }: SessionWithAssessment): Violation[] {
  const violation = (code: string, text: string) => [{ path: ["continues"], code, detail: text }];
  if (assessment.form !== "short") return violation("not_short", "Only a session of the short form can be continued.");
  if (session.completedAt === null) return violation("not_completed", "Complete that session first.");
  if (mapRatingsByStatement(session, assessment).size === assessment.questions.length) return [];
  const detail = "That session has no answers to some questions, or they are deleted. Create one without `continues`.";
  return violation("unanswered", detail);
}

/** Tells whether a session asks a question: not one that was asked in the short session that it continues. */
export async function createQuestionFilter(
  { catalogue }: Dependencies,
  continues: string | null,
  { id: assessmentId, questionById }: PublishedAssessment,
): Promise<(questionId: number) => boolean> {
  if (continues === null) return () => true;
  const { questions } = await catalogue.getById(toFormId(assessmentId, "short"));
  const askedStatements = new Set(questions.map(toStatementKey));
  return (id) => {
    const question = questionById.get(id);
    return question !== undefined && !askedStatements.has(toStatementKey(question));
  };
}
