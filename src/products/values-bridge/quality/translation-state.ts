// How far the translation of the statements has come that people answered. Whoever compares them across languages needs
// the last state.

/**
 * The least first: written by one translator; reconciled from two; tested with people who thought aloud; shown by data to
 * measure the same as the statements it was made from.
 */
export const translationStates = ["draft", "reconciled", "tested", "equivalent"] as const;

export type TranslationState = (typeof translationStates)[number];
