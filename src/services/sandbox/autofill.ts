// Answers of a made-up person, for sessions of test twins.

import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { requireTestTwin } from "../../domain/sandbox/test-data.ts";
import type { Answer } from "../../domain/sessions/answers.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { getSession, recordAnswers, type SessionAddress, type SessionDeps } from "../sessions/sessions.ts";

/**
 * Stores the answers of a persona, as `recordAnswers` does.
 * @returns the number of questions that the persona answers
 * Throws `permission_denied` unless the partner is a test twin, and what `recordAnswers` throws.
 */
export async function autofillSession(
  deps: SessionDeps,
  address: SessionAddress,
  persona: string,
  deadline: Deadline,
): Promise<number> {
  requireTestTwin(address.partnerId);
  const { assessment } = await getSession(deps, address, deadline);
  return recordAnswers(deps, address, answersOf(assessment, persona), deadline);
}

function answersOf({ personas, questions }: PublishedAssessment, name: string): Answer[] {
  const ratings = personas().answersOf(name);
  if (ratings === undefined) {
    const detail = `There is no such persona. There are: ${personas().names.join(", ")}.`;
    throw invalidRequest([{ path: ["persona"], code: "unknown_value", detail }]);
  }
  return questions.flatMap(({ id, type, position }) => {
    const value = ratings[position - 1] ?? null;
    return value === null ? [] : [{ questionId: id, type, value }];
  });
}
