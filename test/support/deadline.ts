// The time of what tests call: as long as it takes, since vitest ends what never does.

/** A signal that nobody aborts. */
export const { signal } = new AbortController();

/** A deadline that never comes. */
export const deadline = { signal, endsAt: Number.POSITIVE_INFINITY };
