// The scopes that a token can have.

/** Scopes for any partner's clients, and what they allow. */
export const partnerScopeMeanings = {
  "sessions:write": "Create sessions, record answers, complete sessions and see their results.",
  "sessions:read": "Read the status of sessions.",
  "results:read": "Read results.",
  "reports:share": "Create and end links with which people read their own report.",
  "assessments:read": "Read published assessments.",
  "subjects:delete": "Erase people.",
  "norms:read": "Read norms.",
  "groups:write": "Create and close groups.",
  "groups:read": "Read groups, and how many of their people have answered.",
  "aggregates:read": "Read the numbers of closed groups.",
  "events:read": "Read events.",
  "exports:read": "Export sessions with their answers and results, and all data about a person.",
  "audit:read": "Read the audit log.",
  "webhooks:read": "Read webhook endpoints and the results of deliveries.",
  "webhooks:write": "Create, change, test and delete webhook endpoints, and redeliver events.",
} as const;

export const partnerScopes = Object.keys(partnerScopeMeanings) as readonly (keyof typeof partnerScopeMeanings)[];

/** Scopes for clients of internal partners only. */
export const internalScopes = ["admin", "partners:act-as", "gateway", "events:read-all"] as const;

export type Scope = (typeof partnerScopes)[number] | (typeof internalScopes)[number];

/** Every scope. */
export const scopes: readonly Scope[] = [...partnerScopes, ...internalScopes];
const scopeNames: ReadonlySet<string> = new Set(scopes);

export function isScope(text: string): text is Scope {
  return scopeNames.has(text);
}

export function isInternalScope(scope: Scope): boolean {
  return (internalScopes as readonly Scope[]).includes(scope);
}
