// The branding part of the Store port.

/** How the hosted pages of a partner look; null if nothing was set. */
export interface Branding {
  readonly displayName: string | null;
  readonly logoUrl: string | null;
  /** `#rrggbb` in lower case. */
  readonly accentColor: string | null;
}

export interface BrandingStore {
  findBranding(partnerId: string, signal: AbortSignal): Promise<Branding | undefined>;
  /** Puts the branding in the place of an earlier one. */
  saveBranding(partnerId: string, branding: Branding, signal: AbortSignal): Promise<void>;
}
