// How wide a text is. Where the font is known its metrics decide; that of a picture in a browser is not known, so the
// widest of the usual ones does.

/** The width of a text. @param size of the font, in the units of the result */
export type TextWidth = (text: string, size: number, bold: boolean) => number;

/** The wider of the advance widths in DejaVu Sans Bold and Source Sans, in hundredths of the font size. */
const widths: readonly (readonly [number, string])[] = [
  [38, "' ijlI,./|\\"],
  [42, "-:;"],
  [46, "f!()[]"],
  [49, "rt"],
  [60, '?zcs_`"*J'],
  [69, "xvyLako"],
  [70, "eEFT0123456789$"],
  [73, "bdghnpquSYCPZ{}"],
  [77, "ABKRVX"],
  [83, "UGD"],
  [87, "#+<=>HN^~OQ&"],
  [92, "w"],
  [105, "%@Mmæœ"],
  [117, "WÆŒ"],
];

const widthOf = byCharacter(widths);

/** The regular cut is narrower by this. */
const regularShare = 0.94;

/** Of other letters; ideographs, emoji and symbols are as wide as the font is high. */
const otherLetter = 0.85;
const fullWidth = 1.1;

/** Advance widths of the bold cut of the font that pages bring, in hundredths of the font size, rounded up. */
const pageWidths: readonly (readonly [number, string])[] = [
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

const pageWidthOf = byCharacter(pageWidths);

/** The regular cut has letters that are as much wider as this. */
const pageShare = 1.02;

/** At least the width that a text has in the font that pages bring; of letters that it lacks, that in others. */
export const pageTextWidth: TextWidth = (text, size) => {
  let width = 0;
  for (const character of text.normalize("NFD")) width += pageWidthOf.get(character) ?? characterWidth(character);
  return width * size * pageShare;
};

/** At least the width that a text has in the fonts which browsers choose for pictures. */
export const browserTextWidth: TextWidth = (text, size, bold) => {
  let width = 0;
  // What is composed of a letter and accents is as wide as the letter.
  for (const character of text.normalize("NFD")) width += characterWidth(character);
  return width * size * (bold ? 1 : regularShare);
};

function characterWidth(character: string): number {
  const known = widthOf.get(character);
  if (known !== undefined) return known;
  if (/\p{M}|\p{Cf}/u.test(character)) return 0;
  return /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u.test(character)
    ? otherLetter
    : fullWidth;
}

function byCharacter(table: readonly (readonly [number, string])[]): ReadonlyMap<string, number> {
  return new Map(table.flatMap(([width, all]) => [...all].map((character) => [character, width / 100] as const)));
}
