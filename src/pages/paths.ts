// Addresses of the pages.

/** Prefix of the pages on the HTTP port. */
export const hostedPrefix = "/hosted";

/** Prefix of the pages for joining groups. */
export const joinPrefix = "/join";

/** The route below that prefix. */
export const joinRoute = "/:joinCode";

/** Prefix of the pages of reports. */
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

/** Routes of shared pictures, below the same prefix. */
export const cardRoutes = { page: "/cards/:cardToken", picture: "/cards/:cardToken/picture.png" } as const;

/** Routes below `hostedPrefix`. */
export const routes = {
  link: "/:linkToken",
  start: "/sessions/:sessionId",
  questions: "/sessions/:sessionId/questions/:page",
  review: "/sessions/:sessionId/review",
  finish: "/sessions/:sessionId/finish",
  /** Redirects to the partner after completion. */
  onward: "/sessions/:sessionId/onward",
  /** Opens a session with the remaining statements after the short form, if the partner offers that. */
  further: "/sessions/:sessionId/further",
  /** Opens the report after completion, if the partner offers it. */
  report: "/sessions/:sessionId/report",
} as const;

/** The token of a link, without characters that mail programs and people append, such as a full stop. */
export function extractLinkToken(text: string): string {
  return /^\w{0,128}/.exec(text)?.[0] ?? "";
}

/** The code of a group, without what follows it. */
export function extractJoinCode(text: string): string {
  return /^[\w-]{0,64}/.exec(text)?.[0] ?? "";
}

/**
 * An address that the router accepts, for a link that cannot be decoded or is too long: with its token or an unknown one.
 * Undefined for addresses that are no links.
 */
export function repairUrl(url: string): string | undefined {
  const prefix = [hostedPrefix, reportsPrefix, joinPrefix].find((each) => url.startsWith(`${each}/`));
  const readEnd = prefix === joinPrefix ? extractJoinCode : extractLinkToken;
  return prefix && `${prefix}/${readEnd(url.slice(prefix.length + 1)) || "unreadable"}`;
}

export type SessionPaths = ReturnType<typeof buildPaths>;

/** The addresses of one session's pages, and of its report. @param base see `readBasePath` */
export function buildPaths(base: string, sessionId: string) {
  const build = <T extends Readonly<Record<string, string>>>(prefix: string, templates: T): Record<keyof T, string> => {
    const addresses = Object.entries(templates).map(([name, template]) => [
      name,
      base + prefix + template.replace(":sessionId", sessionId),
    ]);
    return Object.fromEntries(addresses);
  };
  const addresses = build(hostedPrefix, routes);
  return {
    ...addresses,
    page: (number: number) => addresses.questions.replace(":page", String(number)),
    /** The documentation of comparison values. */
    comparison: `${base}/docs/comparison-values`,
    ownReport: build(reportsPrefix, reportRoutes),
  };
}
