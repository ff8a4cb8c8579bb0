// Addresses of the pages.

/** Where the pages live on the HTTP port. */
export const hostedPrefix = "/hosted";

/** Routes below the prefix; each stands for one page of one session. */
export const routes = {
  link: "/:linkToken",
  start: "/sessions/:sessionId",
  questions: "/sessions/:sessionId/questions/:page",
  review: "/sessions/:sessionId/review",
  finish: "/sessions/:sessionId/finish",
  /** On to the partner, after completion. */
  onward: "/sessions/:sessionId/onward",
} as const;

/** The addresses of one session's pages. */
export interface SessionPaths {
  readonly start: string;
  readonly review: string;
  readonly finish: string;
  readonly onward: string;
  page(number: number): string;
}

export function pathsOf(sessionId: string): SessionPaths {
  const start = `${hostedPrefix}/sessions/${sessionId}`;
  return {
    start,
    review: `${start}/review`,
    finish: `${start}/finish`,
    onward: `${start}/onward`,
    page: (number) => `${start}/questions/${number}`,
  };
}
