// Headers of every page: no cache, no referrer and no content from other sites, and frames only on sites that
// the partner names.

/** What holds for every page, whatever it may load. */
const alwaysPrivate = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "x-robots-tag": "noindex, nofollow",
} as const;

/** For what other sites may neither frame nor keep a hold of in a window that they opened. */
export const privateHeaders = {
  ...alwaysPrivate,
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** Origins of the sites that may show a page in a frame or a window of theirs; `all`: any site may. */
export type FrameAncestors = readonly string[] | "all";

/**
 * The headers of a page with a policy.
 * @param policy without `frame-ancestors`
 */
export function framedHeaders(policy: string, frameAncestors: FrameAncestors): Record<string, string> {
  const ancestors = frameAncestors === "all" ? ["*"] : frameAncestors.filter((origin) => plainOrigin.test(origin));
  return {
    // Neither of the two headers supports a list of origins.
    ...(ancestors.length === 0 ? privateHeaders : alwaysPrivate),
    "content-security-policy": `${policy}; frame-ancestors ${ancestors.join(" ") || "'none'"}`,
  };
}

export interface PagePolicy {
  readonly nonce: string;
  /** URLs of the images that are not of the service. */
  readonly images: readonly (string | undefined)[];
  /** Whether the page's form leads out of the service. */
  readonly leadsAway: boolean;
  readonly frameAncestors: FrameAncestors;
}

/** The headers of a page. */
export function pageHeaders({ nonce, images, leadsAway, frameAncestors }: PagePolicy): Record<string, string> {
  const policy = {
    "default-src": "'none'",
    "script-src": `'nonce-${nonce}'`,
    "style-src": `'nonce-${nonce}'`,
    "img-src": ["'self'", ...new Set(images.flatMap(imageSources))].join(" "),
    "font-src": "'self'",
    "connect-src": "'self'",
    // Browsers apply this to redirects after a form too, and a partner's own further redirects cannot be known.
    "form-action": leadsAway ? "'self' https: http:" : "'self'",
    "base-uri": "'none'",
    "require-trusted-types-for": "'script'",
  };
  const directives = Object.entries(policy).map((directive) => directive.join(" "));
  return framedHeaders(directives.join("; "), frameAncestors);
}

/** Characters that are allowed in a policy. URLs allow more in a host, such as a semicolon, which would begin another directive. */
const plainOrigin = /^https?:\/\/[\w.-]+(?::\d{1,5})?$/;

function imageSources(url: string | undefined): string[] {
  if (url === undefined) return [];
  if (url.startsWith("data:")) return ["data:"];
  const origin = URL.parse(url)?.origin ?? "";
  return plainOrigin.test(origin) ? [origin] : [];
}
