// pas score: results of answers in a file, by the same code as the service, without a database.
import { create } from "@bufbuild/protobuf";
import { openForm } from "../../domain/assessments/published-assessment.ts";
import { type Answer, answerViolations, mergeAnswers } from "../../domain/sessions/answers.ts";
import { CompleteSessionRequestSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { fromJson } from "../../json/message-from-json.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import { createValuesBridge } from "../../products/values-bridge/values-bridge.ts";
import type { CommandContext } from "../command.ts";
import { readDefinition, readJson } from "./assessments.ts";

export interface ScoreOptions {
  /** Files with a definition, and with answers to its questions. */
  readonly assessment: string;
  readonly answers: string;
  readonly explain?: true;
  readonly quality?: true;
}

const readRequest = fromJson(CompleteSessionRequestSchema);

/** Prints the results of answers in a file. Throws messages for people. */
export async function scoreFile({ print }: CommandContext, options: ScoreOptions): Promise<void> {
  const valuesBridge = createValuesBridge();
  const definition = await readDefinition(valuesBridge, options.assessment);
  const answers = readAnswers(await readJson(options.answers));
  // Question ids contain the id of the published version. It is not in the definition, so it is read from the answers.
  const id = Math.max(1, Math.trunc((answers[0]?.questionId ?? 0) / 1000));
  const stored = { id, product: definition.product, version: 1, definition, publishedAt: new Date(0) };
  const assessment = openForm(valuesBridge, stored, id);
  if (assessment === undefined) throw new Error("the answers are of a short form, and the definition has none");
  // In a file of another assessment every answer is invalid.
  refuseIfAny(answerViolations(answers, assessment).slice(0, 1));
  const { sheet } = mergeAnswers([], answers, assessment);
  const results = assessment.scorer.score(sheet);
  if (!options.explain && !options.quality) return print(results);
  print({
    results,
    ...(options.explain ? { explanation: assessment.explain(sheet, results) } : {}),
    ...(options.quality ? { quality: assessment.quality().assess(sheet, null) } : {}),
  });
}

function readAnswers(json: unknown): Answer[] {
  const { message, violations } = readRequest(json);
  refuseIfAny(violations);
  return create(CompleteSessionRequestSchema, message).answers;
}
