// Texts that cost a careless reader most, each of a given length, for headers, paths, queries, cookies and forms.

/** The pattern again and again, cut to the length. */
export function repeated(pattern: string, length: number): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}

/** What regular expressions, splitting, trimming and decoding may stumble over. */
const patterns: Readonly<Record<string, string>> = {
  "one long word": "a",
  "words of lists": "a,",
  "empty members of a list": ",",
  "spaces in the middle": " ",
  "language tags": "de-a;q=0.1,",
  "subtags without an end": "a-",
  weights: "*;q=0.001,",
  parameters: ";a=b",
  "quotes that never end": '"\\',
  "quoted words": '"a" ',
  "a token in parts": "e30.",
  padding: "=",
  "entity tags": 'W/"a",',
  "pairs of cookies": "a=b; ",
  "cookies without names": "=;",
  addresses: "127.0.0.1, ",
  "addresses of six parts": "::1,",
  ranges: "0-0,",
  dashes: "00-",
  "encoded bytes": "%25",
  "broken encoding": "%f",
  dots: "../",
  slashes: "/",
  "pairs of a form": "a=1&",
  "pairs with one name": "explain=true&",
  ampersands: "&",
  pluses: "+",
  digits: "9",
};

/** A language tag of any length that is good: what is private in a tag may repeat itself. */
export function languageTag(length: number): string {
  return `de-x${repeated("-a", length - (length % 2))}`;
}

/** Named texts of that length. @param around the text stands within these, which makes it nearly valid */
export function worstTexts(length: number, [before, after] = ["", ""]): [string, string][] {
  const texts = Object.entries(patterns).map(([name, pattern]) => [name, repeated(pattern, length)] as const);
  const all = [...texts, ["private subtags", languageTag(length - 4)] as const];
  return all.map(([name, text]) => [name, before + text + after]);
}
