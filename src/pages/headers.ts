// Headers of every page: nothing is cached, framed, told to other sites or loaded from them.

/** What holds for every page, whatever it may load. */
export const privateHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "x-robots-tag": "noindex, nofollow",
} as const;

export interface PagePolicy {
  readonly nonce: string;
  /** Logo of the partner. */
  readonly logoUrl: string | undefined;
  /** Whether the page's form leads out of the service. */
  readonly leadsAway: boolean;
}

/** The headers of a page. */
export function pageHeaders({ nonce, logoUrl, leadsAway }: PagePolicy): Record<string, string> {
  const policy = {
    "default-src": "'none'",
    "script-src": `'nonce-${nonce}'`,
    "style-src": `'nonce-${nonce}'`,
    "img-src": ["'self'", ...imageSources(logoUrl)].join(" "),
    "connect-src": "'self'",
    // Browsers hold redirects after a form to this as well, and where a partner redirects to in turn is its own affair.
    "form-action": leadsAway ? "'self' https: http:" : "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "require-trusted-types-for": "'script'",
  };
  return {
    "content-security-policy": Object.entries(policy)
      .map((directive) => directive.join(" "))
      .join("; "),
    ...privateHeaders,
  };
}

/** What may stand in a policy. URLs allow more in a host, such as a semicolon, which would begin another directive. */
const plainOrigin = /^https?:\/\/[\w.-]+(?::\d{1,5})?$/;

function imageSources(logoUrl: string | undefined): string[] {
  if (logoUrl === undefined) return [];
  if (logoUrl.startsWith("data:")) return ["data:"];
  const origin = URL.parse(logoUrl)?.origin ?? "";
  return plainOrigin.test(origin) ? [origin] : [];
}
