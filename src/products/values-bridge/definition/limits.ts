// How large a definition may be, beside what its schema says.

/** Words that the interface uses where a product stands: `/v1/events`. */
export const RESERVED_PRODUCTS: readonly string[] = ["audit", "events", "test", "webhook-endpoints"];

/** Question ids are `assessmentId * 1000 + position`. */
export const maxQuestions = 999;

/** Entries, members and names of members in a file; the largest valid one has some 215,000. */
export const maxNodes = 250_000;

/** Characters in all texts and names of members; the largest valid file has about half as many. */
export const maxCharacters = 2_000_000;

/** Faults reported at once. */
export const maxFaults = 200;
