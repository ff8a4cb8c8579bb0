// How large a definition may be.

/** Words that the interface has in the place of a product: `/v1/events`. */
export const RESERVED_PRODUCTS: readonly string[] = ["events", "webhook-endpoints"];

/** Question ids are `assessmentId * 1000 + position`. */
export const MAX_QUESTIONS = 999;

/** Also the greatest value id, so that pairing ids of the form `100 * a + b` can be read. */
export const MAX_VALUES = 99;

/** Three values, two frames and 999 questions leave no room for more. */
export const MAX_ITEMS_PER_VALUE = 166;

/** Every pair of 99 values. */
export const MAX_PAIRINGS = 4851;

export const MAX_ARCHETYPES = 200;

export const MAX_TIERS = 100;

export const MAX_TRANSLATIONS = 50;

/** Ids are 32 bits wide in the interface. */
export const MAX_ID = 2_147_483_647;

/** Entries, members and names of members in a file; the largest sound one has some 215,000. */
export const MAX_NODES = 250_000;

/** Characters in all texts and names of members; the largest sound file has about half as many. */
export const MAX_CHARACTERS = 2_000_000;

/** Faults reported at once. */
export const MAX_FAULTS = 200;
