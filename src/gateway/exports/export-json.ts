// Exported sessions as the JSON of the interface.
import type { ExportedAnswer, ExportedSession } from "../../gen/assessment/v1/export_service_pb.ts";
import { SessionModeSchema, SessionStatusSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { toResults } from "../../products/values-bridge/json/results.ts";
import { enumWord } from "../../transport/http/bodies/message-json.ts";
import { toDateTime } from "../sessions/session-json.ts";

/** Which parts of a session an export has. */
export interface Included {
  readonly answers: boolean;
  readonly results: boolean;
}

/** ExportedSession as a line of JSON, without the line's end. */
export class ExportedLines {
  /** By question, then by value: there are as many as questions of versions and ratings of their scales. */
  readonly #answers = new Map<number, string[]>();

  /**
   * What `toExported` gives, as a text. Its answers are put together of texts that are there already: as objects they
   * were a third of what an export leaves to the collector.
   */
  lineOf(session: ExportedSession, included: Included): string {
    const { answers, results } = session;
    const members = [JSON.stringify(toExported(session, { answers: false, results: false })).slice(0, -1)];
    if (included.answers) members.push(`"answers":[${answers.map((answer) => this.#textOf(answer)).join(",")}]`);
    if (included.results) members.push(`"results":${JSON.stringify(toResults(results))}`);
    return `${members.join(",")}}`;
  }

  #textOf(answer: ExportedAnswer): string {
    const { questionId, value } = answer;
    const texts = this.#answers.get(questionId) ?? [];
    if (texts.length === 0) this.#answers.set(questionId, texts);
    const text = texts[value] ?? JSON.stringify(toAnswer(answer));
    texts[value] = text;
    return text;
  }
}

/** ExportedSession; parts that are not included are no members. */
export function toExported(session: ExportedSession, { answers, results }: Included) {
  return {
    sessionId: session.sessionId,
    externalId: session.externalId,
    mode: enumWord(SessionModeSchema, session.mode),
    status: enumWord(SessionStatusSchema, session.status),
    assessmentVersion: session.assessmentVersion,
    createdAt: toDateTime(session.createdAt),
    completedAt: toDateTime(session.completedAt),
    answersDeletedAt: toDateTime(session.answersDeletedAt),
    resultsDeletedAt: toDateTime(session.resultsDeletedAt),
    ...(answers ? { answers: session.answers.map(toAnswer) } : {}),
    ...(results ? { results: toResults(session.results) } : {}),
  };
}

function toAnswer({ questionId, value }: ExportedAnswer) {
  return { questionId, value };
}
