// Splits names into lines.

/** Most lines of one text. A longer one ends in an ellipsis. */
const maxLines = 4;

/** A number and its unit stay together. */
const betweenWords = /(?<!\d) /;

/** The width of a text in the font of the lines. */
type Width = (text: string) => number;

/** A text in at most four lines, which are no wider than `room`. Wider words are split. */
function wrap(text: string, room: number, width: Width): string[] {
  const fits = (candidate: string) => width(candidate) <= room;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(betweenWords)) {
    let rest = word;
    if (line !== "" && fits(`${line} ${rest}`)) {
      line = `${line} ${rest}`;
      continue;
    }
    if (line !== "") lines.push(line);
    while (!fits(rest) && lines.length < maxLines) {
      const [head, tail] = splitWord(rest, fits);
      if (tail === "") break;
      lines.push(head);
      rest = tail;
    }
    line = rest;
  }
  lines.push(line);
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), `${lines[maxLines - 1] ?? ""}…`];
}

/** A name in one line, in two of similar width if it is long, or in more. @param longest characters of one line */
export function wrapName(name: string, longest: number, room: number, width: Width): string[] {
  const isShort = Array.from(name).length <= longest;
  const lines = isShort ? [name] : splitInTwo(name, width);
  return lines.every((line) => width(line) <= room) ? lines : wrap(name, room, width);
}

/** A name that fits around a circle on phones: a longer one ends after a word, with an ellipsis. */
export function shortenName(name: string, most = 30): string {
  const characters = Array.from(name);
  if (characters.length <= most) return name;
  const words = characters.slice(0, most).join("").split(" ");
  // The last word is not whole. Short words such as "and" are no good end.
  const whole = words.slice(0, -1);
  while (whole.length > 0 && (whole.at(-1) ?? "").length <= 3) whole.pop();
  const head = whole.join(" ");
  const shortened = head.length > most / 3 ? head : characters.slice(0, most - 1).join("");
  return `${shortened.replace(/[,;]$/, "")}…`;
}

/** A text in two lines of similar width; in one if it has no spaces. */
function splitInTwo(text: string, width: Width): string[] {
  const words = text.split(" ");
  const halves = words.slice(1).map((_, index) => {
    const [one, other] = [words.slice(0, index + 1).join(" "), words.slice(index + 1).join(" ")];
    return { lines: [one, other], uneven: Math.abs(width(one) - width(other)) };
  });
  const [best] = halves.toSorted((one, other) => one.uneven - other.uneven);
  return best?.lines ?? [text];
}

const vowels = "aeiouyäöüáéíóúàèìòùâêîôû";
/** Consonants that begin a syllable together. */
const onset = "[bcdfgkp][lr]|[tv]r|[cpst]h|s[pt]";
const syllable = new RegExp(`^(?:${onset}|[^${vowels}])[${vowels}]`, "iu");
const withinOnset = new RegExp(`^(?:${onset})`, "iu");

/** Splits a word in two, before a syllable if possible. */
function splitWord(word: string, fits: (line: string) => boolean): [string, string] {
  const characters = Array.from(new Intl.Segmenter().segment(word), ({ segment }) => segment);
  const heads = characters
    .map((_, index) => index)
    .filter((index) => index > 0 && fits(`${characters.slice(0, index).join("")}-`));
  const isSyllable = (index: number) =>
    index > 1 &&
    index < characters.length - 2 &&
    syllable.test(characters.slice(index).join("")) &&
    !withinOnset.test(characters.slice(index - 1).join(""));
  const at = heads.findLast(isSyllable) ?? heads.at(-1) ?? characters.length;
  const head = characters.slice(0, at).join("");
  return [head.endsWith("-") ? head : `${head}-`, characters.slice(at).join("")];
}
