// How hard an English text is to read: syllables, words and the Flesch-Kincaid grade.

/** Words whose syllables the spelling rule below gets wrong. */
const exceptions: ReadonlyMap<string, number> = new Map([
  ["anyone", 3],
  ["area", 3],
  ["being", 2],
  ["curious", 3],
  ["evening", 2],
  ["everyday", 3],
  ["idea", 3],
  ["quiet", 2],
  ["society", 4],
  ["something", 2],
  ["useful", 2],
  ["valuable", 4],
]);

/** The words of a text in lower case; an apostrophe or hyphen within a word belongs to it. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+(?:['’-][a-z]+)*/g) ?? [];
}

/** Number of syllables of one English word, at least 1: its groups of vowels, less the silent endings. */
export function syllables(word: string): number {
  const owner = word.replace(/['’]s$/, "");
  const known = exceptions.get(owner.replace(/([^su])s$/, "$1"));
  if (known !== undefined) {
    return known;
  }
  const spoken = owner
    .replace(/([^aeiouy])les?$/, "$1el")
    .replace(/([^aeiouytd])ed$/, "$1d")
    .replace(/([^aeiouysxzcgh]|[^sc]h)es$/, "$1s")
    .replace(/e$/, "");
  return Math.max(1, spoken.match(/[aeiouy]+/g)?.length ?? 0);
}

/**
 * School grade needed to read `sentences`, each one a sentence (Kincaid, Fishburne, Rogers & Chissom 1975):
 * 0.39 words per sentence + 11.8 syllables per word - 15.59.
 */
export function readingGrade(sentences: readonly string[]): number {
  const words = sentences.flatMap(wordsOf);
  const total = words.reduce((sum, word) => sum + syllables(word), 0);
  return (0.39 * words.length) / sentences.length + (11.8 * total) / words.length - 15.59;
}
