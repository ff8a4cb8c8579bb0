// The pages of a session, and the person's progress.
import type {
  GetHostedSessionResponse,
  HostedSection,
  HostedStatement,
} from "../../gen/assessment/v1/hosted_service_pb.ts";

/** Few enough for a phone. */
const maxStatementsPerPage = 5;
const secondsPerStatement = 6;

/** A few statements of one section. */
export interface QuestionPage {
  /** Counted from 1, over all sections. */
  readonly number: number;
  readonly section: HostedSection;
  /** Number of the section, from 1. */
  readonly part: number;
  readonly isFirstOfPart: boolean;
  readonly statements: readonly HostedStatement[];
}

export interface Progress {
  readonly answerCount: number;
  readonly total: number;
  /** Estimated remaining minutes, at least 1. */
  readonly minutes: number;
  /** Number of the first page with a required statement that has no answer; undefined if there is none. */
  readonly nextPage: number | undefined;
}

/** The pages of a session: each section is split evenly. */
export function splitPages({ sections }: GetHostedSessionResponse): QuestionPage[] {
  const chunks = sections.flatMap((section, index) =>
    splitEvenly(section.statements, maxStatementsPerPage).map((statements, chunk) => ({
      section,
      part: index + 1,
      isFirstOfPart: chunk === 0,
      statements,
    })),
  );
  return chunks.map((chunk, index) => ({ number: index + 1, ...chunk }));
}

export function summarizeProgress(pages: readonly QuestionPage[]): Progress {
  const statements = pages.flatMap((page) => page.statements);
  const answerCount = statements.filter(({ value }) => value !== undefined).length;
  return {
    answerCount,
    total: statements.length,
    minutes: estimateMinutes(statements.length - answerCount),
    nextPage: pages.find((page) => listUnanswered(page).length > 0)?.number,
  };
}

/** Estimated minutes for a number of statements, at least 1. */
export function estimateMinutes(statementCount: number): number {
  return Math.max(1, Math.round((statementCount * secondsPerStatement) / 60));
}

/** The required statements of a page that have no answer. */
export function listUnanswered({ statements }: Pick<QuestionPage, "statements">): HostedStatement[] {
  return statements.filter(({ required, value }) => required && value === undefined);
}

function splitEvenly<T>(list: readonly T[], maxLength: number): T[][] {
  const count = Math.ceil(list.length / maxLength);
  const findBoundary = (index: number) => Math.ceil((index * list.length) / count);
  return Array.from({ length: count }, (_, index) => list.slice(findBoundary(index), findBoundary(index + 1)));
}
