// Answers as messages of exports. Sessions share them: a million sessions have no more than some thousand different answers.
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { AnswerSheet } from "../../domain/sessions/session-port.ts";
import type { ExportedAnswer } from "../../gen/assessment/v1/export_service_pb.ts";

export class ExportedAnswers {
  /** By position, then by rating: as many as questions and ratings of their scales. */
  readonly #messages = new WeakMap<PublishedAssessment, ExportedAnswer[][]>();

  /** The answers that were given, in the order of the questions. The messages must not be changed. */
  of(assessment: PublishedAssessment, answers: AnswerSheet): ExportedAnswer[] {
    const known = this.#messages.get(assessment) ?? assessment.questions.map(() => []);
    if (!this.#messages.has(assessment)) this.#messages.set(assessment, known);
    const given: ExportedAnswer[] = [];
    for (const [index, { id: questionId }] of assessment.questions.entries()) {
      const value = answers[index] ?? null;
      const ofQuestion = known[index];
      if (value === null || ofQuestion === undefined) continue;
      ofQuestion[value] ??= { $typeName: "assessment.v1.ExportedAnswer", questionId, value };
      given.push(ofQuestion[value]);
    }
    return given;
  }
}
