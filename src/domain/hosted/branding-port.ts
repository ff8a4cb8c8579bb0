// The branding part of the Store port.

/** How the hosted pages and reports of a partner look, and where they may be shown; null if nothing was set. */
export interface Branding {
  readonly displayName: string | null;
  readonly logoUrl: string | null;
  /** `#rrggbb` in lower case. */
  readonly accentColor: string | null;
  /** Where people can turn if their results weigh on them, in the partner's words. */
  readonly supportText: string | null;
  /** Origins of the sites that may show the pages in a frame, at most 10; none: nobody may. */
  readonly frameAncestors: readonly string[];
}

export interface BrandingStore {
  findBranding(partnerId: string, signal: AbortSignal): Promise<Branding | undefined>;
  /** Puts the branding in the place of an earlier one. */
  saveBranding(partnerId: string, branding: Branding, signal: AbortSignal): Promise<void>;
}
