// Addresses of the pages.

/** Prefix of the pages on the HTTP port. */
export const hostedPrefix = "/hosted";

/** Where people join groups. */
export const joinPrefix = "/join";

/** The route below that prefix. */
export const joinRoute = "/:joinCode";

/** Where people read their reports. */
export const reportsPrefix = "/reports";

/** Routes below that prefix. */
export const reportRoutes = {
  page: "/sessions/:sessionId",
  pdf: "/sessions/:sessionId/report.pdf",
  poster: "/sessions/:sessionId/poster.pdf",
  step: "/sessions/:sessionId/step",
  calendar: "/sessions/:sessionId/step.ics",
  shareCard: "/sessions/:sessionId/card",
} as const;

/** Routes of pictures that people share, below the same prefix. */
export const cardRoutes = { page: "/cards/:cardToken", picture: "/cards/:cardToken/picture.png" } as const;

/** Routes below the prefix; each is one page of one session. */
export const routes = {
  link: "/:linkToken",
  start: "/sessions/:sessionId",
  questions: "/sessions/:sessionId/questions/:page",
  review: "/sessions/:sessionId/review",
  finish: "/sessions/:sessionId/finish",
  /** Redirects to the partner after completion. */
  onward: "/sessions/:sessionId/onward",
  /** Opens a session with the other statements, after the short form, where the partner wants that. */
  further: "/sessions/:sessionId/further",
  /** Opens the person's report after completion, where the partner wants that. */
  report: "/sessions/:sessionId/report",
} as const;

/** The token of a link. Drops what mail programs and people append, such as a full stop. */
export function extractLinkToken(text: string): string {
  return /^\w{0,128}/.exec(text)?.[0] ?? "";
}

/** The code of a group. Drops what follows the code. */
export function extractJoinCode(text: string): string {
  return /^[\w-]{0,64}/.exec(text)?.[0] ?? "";
}

/**
 * A routable address for a link that cannot be decoded or is too long: with the token alone, or an unknown one. Undefined for
 * all other addresses.
 */
export function repairUrl(url: string): string | undefined {
  const prefix = [hostedPrefix, reportsPrefix, joinPrefix].find((each) => url.startsWith(`${each}/`));
  const readEnd = prefix === joinPrefix ? extractJoinCode : extractLinkToken;
  return prefix && `${prefix}/${readEnd(url.slice(prefix.length + 1)) || "unreadable"}`;
}

export type SessionPaths = ReturnType<typeof buildPaths>;

/** The addresses of one session's pages. @param base see `readBasePath` */
export function buildPaths(base: string, sessionId: string) {
  const addresses = buildAddresses(routes, base + hostedPrefix, sessionId);
  return {
    ...addresses,
    page: (number: number) => addresses.questions.replace(":page", String(number)),
    /** What comparison values are, and what protects people whose answers are in them. */
    comparison: `${base}/docs/comparison-values`,
  };
}

/** The addresses of one session's report. @param base see `readBasePath` */
export function buildReportPaths(base: string, sessionId: string): Record<keyof typeof reportRoutes, string> {
  return buildAddresses(reportRoutes, base + reportsPrefix, sessionId);
}

function buildAddresses<T extends Readonly<Record<string, string>>>(
  templates: T,
  prefix: string,
  sessionId: string,
): Record<keyof T, string> {
  const addresses = Object.entries(templates).map(([name, template]) => [
    name,
    prefix + template.replace(":sessionId", sessionId),
  ]);
  return Object.fromEntries(addresses);
}
