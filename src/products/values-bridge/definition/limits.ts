// How large a definition may be.

/** Words that the interface uses where a product stands: `/v1/events`. */
export const RESERVED_PRODUCTS: readonly string[] = ["audit", "events", "test", "webhook-endpoints"];

/** Question ids are `assessmentId * 1000 + position`. */
export const maxQuestions = 999;

/** Also the greatest value id, so that pairing ids of the form `100 * a + b` can be read. */
export const maxValues = 99;

/** Three values, two frames and 999 questions leave no room for more. */
export const maxItemsPerValue = 166;

/** Every pair of 99 values. */
export const maxPairings = 4851;

export const maxArchetypes = 200;

export const maxTiers = 100;

export const maxTranslations = 50;

/** Ids are 32 bits wide in the interface. */
export const maxId = 2_147_483_647;

/** Entries, members and names of members in a file; the largest valid one has some 215,000. */
export const maxNodes = 250_000;

/** Characters in all texts and names of members; the largest valid file has about half as many. */
export const maxCharacters = 2_000_000;

/** Faults reported at once. */
export const maxFaults = 200;
