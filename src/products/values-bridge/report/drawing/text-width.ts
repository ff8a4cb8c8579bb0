// An estimate of the width of texts.

/** Advance widths of the bold cut of the font of pages and documents, in hundredths of the font size, rounded up. */
const widths: readonly (readonly [number, string])[] = [
  [20, " "],
  [27, "ij"],
  [28, "',.:;l"],
  [29, "I"],
  [33, "!f()-[]{}"],
  [38, "/tr\\"],
  [44, "*s"],
  [47, "?zc"],
  [51, 'xJ_vyFLYe"'],
  [53, "0123456789<=>^ag~#$+k"],
  [55, "EVZSTX`o"],
  [57, "Ahnubdpq"],
  [60, "CPBKR"],
  [64, "DG&"],
  [68, "NUHOQ"],
  [75, "Mw"],
  [88, "Wm%@"],
];

const characterWidths: ReadonlyMap<string, number> = new Map(
  widths.flatMap(([width, all]) => [...all].map((character) => [character, width / 100] as const)),
);

/** Letters of the regular cut are up to this much wider. */
const regularShare = 1.02;

/** Other letters may come from other fonts; ideographs, emoji and symbols are as wide as the font is high. */
const otherLetterWidth = 0.94;
const wideCharacterWidth = 1.1;

/** An upper bound of the width of a text. @param size of the font, in the units of the result */
export function computeTextWidth(text: string, size: number): number {
  let width = 0;
  // Accents add no width.
  for (const character of text.normalize("NFD")) width += characterWidths.get(character) ?? estimateWidth(character);
  return width * size * regularShare;
}

function estimateWidth(character: string): number {
  if (/\p{M}|\p{Cf}/u.test(character)) return 0;
  return /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u.test(character)
    ? otherLetterWidth
    : wideCharacterWidth;
}
