// What a token can allow.

/** Scopes for any partner's clients. */
export const partnerScopes = [
  "sessions:write",
  "sessions:read",
  "results:read",
  "assessments:read",
  "subjects:delete",
] as const;

/** Scopes for clients of internal partners only. */
export const internalScopes = ["admin", "partners:act-as", "gateway"] as const;

export type Scope = (typeof partnerScopes)[number] | (typeof internalScopes)[number];

const known: ReadonlySet<string> = new Set([...partnerScopes, ...internalScopes]);

export function isScope(text: string): text is Scope {
  return known.has(text);
}

export function isInternalScope(scope: Scope): boolean {
  return (internalScopes as readonly Scope[]).includes(scope);
}
