// Answers of one session: checked against its assessment and merged, the last one to a question counting.

import type { Violation } from "../../kernel/errors/violation.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import type { AnswerSheet } from "./session-port.ts";

/** An answer as a caller gives it. */
export interface Answer {
  readonly questionId: number;
  /** Kind of the response; undefined if the caller's is none that is known. */
  readonly type: string | undefined;
  readonly value: number;
}

/** Most answers in one request. */
export const maxAnswers = 1000;

/** Violations of an answer list that need no assessment to be seen. */
export function answerCountViolations(answers: readonly Answer[], least: number): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path: ["answers"], code, detail }];
  if (answers.length < least) return violation("too_few_items", `At least ${least} answer is required.`);
  if (answers.length > maxAnswers) return violation("too_many_items", `At most ${maxAnswers} answers fit one request.`);
  return [];
}

/** Violations of answers to the questions of an assessment, in request order. */
export function answerViolations(answers: readonly Answer[], assessment: PublishedAssessment): Violation[] {
  const violations: Violation[] = [];
  for (const [index, answer] of answers.entries()) {
    const question = assessment.questionById.get(answer.questionId);
    if (question === undefined) {
      const detail = "No question of this session's assessment has this id.";
      violations.push({ path: ["answers", index, "questionId"], code: "unknown_question", detail });
      continue;
    }
    if (answer.type !== question.type) {
      const detail = `The response type must be that of the question: ${question.type}.`;
      violations.push({ path: ["answers", index, "response", "type"], code: "wrong_type", detail });
    }
    const { min, max } = question.likertConfig;
    if (!Number.isInteger(answer.value) || answer.value < min || answer.value > max) {
      const detail = `The value must be an integer from ${min} to ${max}.`;
      violations.push({ path: ["answers", index, "response", "value"], code: "out_of_range", detail });
    }
  }
  return violations;
}

/** The stored ratings with the given answers written over them, and the number of distinct questions answered. */
export function mergeAnswers(
  stored: AnswerSheet,
  answers: readonly Answer[],
  assessment: PublishedAssessment,
): { sheet: AnswerSheet; recorded: number } {
  const sheet = assessment.questions.map((_, index) => stored[index] ?? null);
  const touched = new Set<number>();
  for (const answer of answers) {
    const question = assessment.questionById.get(answer.questionId);
    if (question === undefined) throw new RangeError("answers are merged after they were checked");
    sheet[question.position - 1] = answer.value;
    touched.add(question.position);
  }
  return { sheet, recorded: touched.size };
}

/** Whether storing the answers would change nothing. */
export function areStored(answers: readonly Answer[], stored: AnswerSheet, assessment: PublishedAssessment): boolean {
  return mergeAnswers(stored, answers, assessment).sheet.every((value, index) => value === (stored[index] ?? null));
}

/** Whether at least one question is answered. */
export function hasAnswer(sheet: AnswerSheet): boolean {
  return sheet.some((value) => value !== null);
}
