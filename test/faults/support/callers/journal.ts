// What callers were told, and what they sent without an answer: afterwards the database must agree with it.
import type { AnswerInput, ResultsBody } from "../../../support/transports/transports.ts";

/** One session as its caller knows it. */
export interface Entry {
  readonly key: string;
  readonly externalId: string;
  /** Undefined while no creation was acknowledged. */
  sessionId: string | undefined;
  /** Acknowledged answers, by question. */
  readonly answers: Map<number, number>;
  /** What was sent last and given up without an answer: it happened wholly or not at all. */
  unknown: { readonly kind: "create" | "answers" | "completion"; readonly answers: readonly AnswerInput[] } | undefined;
  /** Acknowledged results. */
  results: ResultsBody | undefined;
}

export class Journal {
  readonly entries: Entry[] = [];
  /** Acknowledged creations, records and completions. */
  acknowledged = 0;
  /** What no caller should ever see. */
  readonly violations: string[] = [];

  begin(externalId: string): Entry {
    const entry: Entry = {
      key: crypto.randomUUID(),
      externalId,
      sessionId: undefined,
      answers: new Map(),
      unknown: undefined,
      results: undefined,
    };
    this.entries.push(entry);
    return entry;
  }

  acknowledge(entry: Entry, answers: readonly AnswerInput[]): void {
    for (const { questionId, response } of answers) entry.answers.set(questionId, response.value);
    entry.unknown = undefined;
    this.acknowledged += 1;
  }

  /** A session whose completion was acknowledged; undefined before the first. */
  someCompleted(): Entry | undefined {
    const completedEntries = this.entries.filter(({ results }) => results !== undefined);
    return completedEntries[Math.floor(Math.random() * completedEntries.length)];
  }
}
