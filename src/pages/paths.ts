// Addresses of the pages.

/** Prefix of the pages on the HTTP port. */
export const hostedPrefix = "/hosted";

/** Where people read their reports. */
export const reportsPrefix = "/reports";

/** Routes below that prefix. */
export const reportRoutes = {
  link: "/:linkToken",
  page: "/sessions/:sessionId",
  pdf: "/sessions/:sessionId/report.pdf",
  poster: "/sessions/:sessionId/poster.pdf",
  step: "/sessions/:sessionId/step",
} as const;

/** Routes below the prefix; each stands for one page of one session. */
export const routes = {
  link: "/:linkToken",
  start: "/sessions/:sessionId",
  questions: "/sessions/:sessionId/questions/:page",
  review: "/sessions/:sessionId/review",
  finish: "/sessions/:sessionId/finish",
  /** On to the partner, after completion. */
  onward: "/sessions/:sessionId/onward",
  /** On to the person's report, after completion, where the partner wants that. */
  report: "/sessions/:sessionId/report",
} as const;

/**
 * An address without a page, in place of one of these pages that cannot be decoded or is too long: some programs cut links
 * in the middle of a character. Undefined for all other addresses.
 */
export function readableUrl(url: string): string | undefined {
  const prefix = [hostedPrefix, reportsPrefix].find((each) => url.startsWith(`${each}/`));
  return prefix && `${prefix}/unreadable`;
}

/** The addresses of one session's pages. */
export interface SessionPaths {
  readonly start: string;
  readonly review: string;
  readonly finish: string;
  readonly onward: string;
  readonly report: string;
  /** What comparison values are, and what protects people whose answers are in them. */
  readonly comparison: string;
  page(number: number): string;
}

/** @param base as `basePath` gives it */
export function pathsOf(base: string, sessionId: string): SessionPaths {
  const start = `${base}${hostedPrefix}/sessions/${sessionId}`;
  return {
    start,
    review: `${start}/review`,
    finish: `${start}/finish`,
    onward: `${start}/onward`,
    report: `${start}/report`,
    comparison: `${base}/docs/comparison-values`,
    page: (number) => `${start}/questions/${number}`,
  };
}

/** The addresses of one session's report. @param base as `basePath` gives it */
export function reportPathsOf(base: string, sessionId: string): Record<"page" | "pdf" | "poster" | "step", string> {
  const page = `${base}${reportsPrefix}/sessions/${sessionId}`;
  return { page, pdf: `${page}/report.pdf`, poster: `${page}/poster.pdf`, step: `${page}/step` };
}
