// Headers of every page: no cache, no referrer, no content of other sites, and frames only on the partner's sites.

/** Headers of every page. */
const commonHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "x-robots-tag": "noindex, nofollow",
} as const;

/** Forbids frames on other sites, and references of other sites to the window. */
export const privateHeaders = {
  ...commonHeaders,
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** Origins of the sites that may show a page in a frame or a window; `all`: any site. */
export type FrameAncestors = readonly string[] | "all";

/**
 * The headers of a page with a policy.
 * @param policy without `frame-ancestors`
 */
export function createFrameHeaders(policy: string, frameAncestors: FrameAncestors): Record<string, string> {
  const ancestors = frameAncestors === "all" ? ["*"] : frameAncestors.filter((origin) => plainOrigin.test(origin));
  return {
    // Neither of the two headers supports a list of origins.
    ...(ancestors.length === 0 ? privateHeaders : commonHeaders),
    "content-security-policy": `${policy}; frame-ancestors ${ancestors.join(" ") || "'none'"}`,
  };
}

export interface PagePolicy {
  readonly nonce: string;
  /** URLs of images of other sites. */
  readonly images: readonly (string | undefined)[];
  /** Whether the form may redirect to another site. */
  readonly submitsToOtherSite: boolean;
  readonly frameAncestors: FrameAncestors;
}

/** The headers of a page. */
export function createPageHeaders(page: PagePolicy): Record<string, string> {
  const { nonce, images, submitsToOtherSite, frameAncestors } = page;
  const policy = {
    "default-src": "'none'",
    "script-src": `'nonce-${nonce}'`,
    "style-src": `'nonce-${nonce}'`,
    "img-src": ["'self'", ...new Set(images.flatMap(listImageOrigins))].join(" "),
    "font-src": "'self'",
    "connect-src": "'self'",
    // `form-action` also restricts redirects after a form, and the partner's are unknown.
    "form-action": submitsToOtherSite ? "'self' https: http:" : "'self'",
    "base-uri": "'none'",
    "require-trusted-types-for": "'script'",
  };
  const directives = Object.entries(policy).map((directive) => directive.join(" "));
  return createFrameHeaders(directives.join("; "), frameAncestors);
}

/** An origin without characters that have a meaning in a policy: a URL's host may contain a semicolon. */
const plainOrigin = /^https?:\/\/[\w.-]+(?::\d{1,5})?$/;

function listImageOrigins(url: string | undefined): string[] {
  if (url === undefined) return [];
  if (url.startsWith("data:")) return ["data:"];
  const origin = URL.parse(url)?.origin ?? "";
  return plainOrigin.test(origin) ? [origin] : [];
}
