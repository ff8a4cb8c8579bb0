// When numbers of many people may be told, so that no difference of released numbers tells of a few.

/** How many it takes. */
export interface ReleaseRule {
  /** Least number of contributions that were in no earlier release. */
  readonly fresh: number;
  /** Least number of contributions. */
  readonly live: number;
}

/** What is known of a scope. */
export interface ScopeState {
  /** Contributions that are live. */
  readonly live: number;
  /** Those of them that were in no earlier release. */
  readonly fresh: number;
  /** For a scope over partners: how many of those the partner has that gave most; 0 for one of a single partner. */
  readonly freshOfLargest: number;
  readonly isReleased: boolean;
  /** When the first contribution of the last release was removed; null if none was. */
  readonly removedAt: Date | null;
}

/** Norms: of 100 people, 20 of them new. */
export const normRule: ReleaseRule = { fresh: 20, live: 100 };
/** Groups: of 5 people, 5 of them new. */
export const groupRule: ReleaseRule = { fresh: 5, live: 5 };

/** Released numbers that hold removed contributions are withdrawn after this. */
export const withdrawalMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Whether to release: enough people, and enough of them new even to the partner that knows most of them. In any linear
 * combination of released totals, the last release that counts brings at least that many people found in none before,
 * all with one coefficient: none isolates fewer.
 */
export function mayRelease({ live, fresh, freshOfLargest }: ScopeState, rule: ReleaseRule): boolean {
  return live >= rule.live && fresh - freshOfLargest >= rule.fresh;
}

/** Whether released numbers have held removed contributions for 30 days. @param now milliseconds since 1970 */
export function isWithdrawn(
  { isReleased, removedAt }: Pick<ScopeState, "isReleased" | "removedAt">,
  now: number,
): boolean {
  return isReleased && removedAt !== null && now >= removedAt.getTime() + withdrawalMs;
}

/** Why a scope has no numbers to tell. */
export type Withheld = "too_few" | "waiting" | "withdrawn";

/** Why the numbers of a scope are withheld; null if they are not. @param now milliseconds since 1970 */
export function withheldOf(state: ScopeState, rule: ReleaseRule, now: number): Withheld | null {
  if (isWithdrawn(state, now)) return "withdrawn";
  if (state.isReleased) return null;
  return state.live < rule.live ? "too_few" : "waiting";
}
