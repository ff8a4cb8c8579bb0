// How wide a text is. Where the font is known its metrics decide; a browser's is not known, so the widest of the usual
// ones does.

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

const widthOf: ReadonlyMap<string, number> = new Map(
  widths.flatMap(([width, characters]) => [...characters].map((character) => [character, width / 100] as const)),
);

/** The regular cut is narrower by this. */
const regularShare = 0.94;

/** Of other letters; ideographs, emoji and symbols are as wide as the font is high. */
const otherLetter = 0.85;
const fullWidth = 1.1;

/** At least the width that a text has in the fonts which browsers choose for pages. */
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
