// pas score: results of answers in a file, by the same code as the service, without a database.
import { openAssessment } from "../../domain/assessments/published-assessment.ts";
import { type Answer, answerViolations, mergeAnswers } from "../../domain/sessions/answers.ts";
import { type QuestionType, QuestionTypeSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import { enumValue } from "../../kernel/json/members.ts";
import { createValuesBridge } from "../../products/values-bridge/values-bridge.ts";
import type { CommandContext } from "../command.ts";
import { readJson } from "./assessments.ts";

export interface ScoreOptions {
  /** Files with a definition, and with answers to its questions. */
  readonly assessment: string;
  readonly answers: string;
  readonly explain?: true;
  readonly quality?: true;
}

/** Prints the results of answers in a file. Throws in words for people. */
export async function scoreFile({ print }: CommandContext, options: ScoreOptions): Promise<void> {
  const valuesBridge = createValuesBridge();
  const parsed = await valuesBridge.parse(await readJson(options.assessment));
  if ("faults" in parsed) throw new Error("the definition has faults; `pas assessment check` names them");
  const answers = readAnswers(await readJson(options.answers));
  const { definition } = parsed;
  // Question ids carry the id of the published version, which a definition does not know: the answers tell it.
  const id = Math.max(1, Math.trunc((answers[0]?.questionId ?? 0) / 1000));
  const stored = { id, product: definition.product, version: 1, definition, publishedAt: new Date(0) };
  const assessment = openAssessment(valuesBridge, stored);
  const [fault] = answerViolations(answers, assessment);
  if (fault !== undefined) throw new Error(`${fault.path.join("/")}: ${fault.detail}`);
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
  const { answers } = (json ?? {}) as { answers?: unknown };
  if (!Array.isArray(answers)) throw new Error('the answers file must hold {"answers": […]}');
  return answers.map((answer, index) => {
    const { questionId, response } = (answer ?? {}) as { questionId?: unknown; response?: Record<string, unknown> };
    if (typeof questionId !== "number" || typeof response?.value !== "number" || typeof response.type !== "string") {
      throw new Error(`answer ${index} must have a questionId and a response with type and value`);
    }
    const type = enumValue(QuestionTypeSchema, response.type) as QuestionType;
    return { questionId, response: { type, value: response.value } };
  });
}
