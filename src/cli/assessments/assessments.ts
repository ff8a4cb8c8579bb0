// pas assessment … and pas score: instruments in files, and results of answers, by the same code as the service.
import { readFile } from "node:fs/promises";
import { create } from "@bufbuild/protobuf";
import { openForm } from "../../domain/assessments/published-assessment.ts";
import { type Answer, findAnswerViolations, mergeAnswers } from "../../domain/sessions/answers.ts";
import { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { CompleteSessionRequestSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { createJsonReader } from "../../json/message-from-json.ts";
import { throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { Product } from "../../products/product.ts";
import { createValuesBridge } from "../../products/values-bridge/values-bridge.ts";
import type { CommandContext } from "../command.ts";
import { withOperator } from "../operator.ts";

/** Prints all faults of a definition. Throws if there are any. */
export async function checkDefinitionFile(context: CommandContext, _: unknown, file: string): Promise<void> {
  const assessment = await createValuesBridge().parse(await readJson(file));
  if ("definition" in assessment) return context.print({ file, faults: 0 });
  for (const { pointer, message } of assessment.faults) context.say(`${pointer}  ${message}`);
  throw new Error("the definition has faults");
}

/** Makes a definition the published version of its product. Throws if it has faults. */
export async function publishDefinitionFile(context: CommandContext, _: unknown, file: string): Promise<void> {
  const request = { definition: JSON.stringify(await readJson(file)) };
  const { publishAssessment } = AssessmentService.method;
  context.print(await withOperator(context, ({ call }) => call(publishAssessment, request)));
}

/** The JSON of a file. Throws messages for people. */
async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error instanceof Error ? error.message : "it cannot be parsed"}`);
  }
}

/** Files with a definition, and with answers to its questions. */
export interface AnswerFiles {
  readonly assessment: string;
  readonly answers: string;
}

interface ScoreOptions extends AnswerFiles {
  readonly explain?: true;
  readonly quality?: true;
}

/** Prints the results of answers in a file. Throws messages for people. */
export async function scoreAnswersFile({ print }: CommandContext, options: ScoreOptions): Promise<void> {
  const { results, explanation, quality } = await scoreAnswers(createValuesBridge(), options);
  if (!options.explain && !options.quality) return print(results);
  print({ results, ...(options.explain ? { explanation } : {}), ...(options.quality ? { quality } : {}) });
}

const readRequest = createJsonReader(CompleteSessionRequestSchema);

/** Scores the answers in a file. Throws messages for people. */
export async function scoreAnswers(product: Product, files: AnswerFiles) {
  const parsedDefinition = await product.parse(await readJson(files.assessment));
  if ("faults" in parsedDefinition) throw new Error("the definition has faults; `pas assessment check` names them");
  const { definition } = parsedDefinition;
  const answers = readAnswers(await readJson(files.answers));
  // Question ids contain the id of the published version. It is not in the definition, so it is read from the answers.
  const id = Math.max(1, Math.trunc((answers[0]?.questionId ?? 0) / 1000));
  const storedAssessment = { id, product: definition.product, version: 1, definition, publishedAt: new Date(0) };
  const assessment = openForm(product, storedAssessment, id);
  if (assessment === undefined) throw new Error("the answers are of a short form, and the definition has none");
  // In a file of another assessment every answer is invalid.
  throwIfInvalid(findAnswerViolations(answers, assessment).slice(0, 1));
  const { ratings } = mergeAnswers([], answers, assessment);
  const results = assessment.scorer.score(ratings);
  const quality = assessment.getQuality().assess(ratings, null);
  return { assessment, results, explanation: assessment.explain(ratings, results, quality), quality };
}

function readAnswers(json: unknown): Answer[] {
  const { message, violations } = readRequest(json);
  throwIfInvalid(violations);
  return create(CompleteSessionRequestSchema, message).answers;
}
