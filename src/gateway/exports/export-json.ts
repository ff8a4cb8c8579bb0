// Exported sessions as the JSON of the interface.

import {
  type ExportedAnswer,
  ExportedAnswerSchema,
  type ExportedSession,
  ExportedSessionSchema,
} from "../../gen/assessment/v1/export_service_pb.ts";
import { ValuesBridgeResultsSchema } from "../../gen/assessment/v1/results_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";

/** Which parts of a session an export has. */
export interface Included {
  readonly answers: boolean;
  readonly results: boolean;
}

/** ExportedSession without answers and results. */
export const exportedHead = toJson(ExportedSessionSchema, ["answers", "results"]);
const answerJson = toJson(ExportedAnswerSchema);
const resultsJson = toJson(ValuesBridgeResultsSchema);

/** ExportedSession as a line of JSON, without the line's end. */
export class ExportedLines {
  /** By question, then by value: there are as many as questions of versions and ratings of their scales. */
  readonly #answers = new Map<number, string[]>();

  /**
   * The line. Its answers are put together of texts that are there already: as objects they were a third of what an
   * export leaves to the collector.
   */
  lineOf(session: ExportedSession, included: Included): string {
    const { answers, results } = session;
    let line = JSON.stringify(exportedHead(session)).slice(0, -1);
    if (included.answers) line += `,"answers":[${answers.map((answer) => this.#textOf(answer)).join(",")}]`;
    if (included.results) line += `,"results":${JSON.stringify(results === undefined ? null : resultsJson(results))}`;
    return `${line}}`;
  }

  #textOf(answer: ExportedAnswer): string {
    const { questionId, value } = answer;
    const texts = this.#answers.get(questionId) ?? [];
    if (texts.length === 0) this.#answers.set(questionId, texts);
    const text = texts[value] ?? JSON.stringify(answerJson(answer));
    texts[value] = text;
    return text;
  }
}
