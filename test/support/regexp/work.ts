// How much a backtracking matcher has to do, counted in steps: a regular expression, taken apart and run by plain means.

interface Run {
  readonly text: string;
  steps: number;
}

type Next = (at: number) => boolean;
type Matcher = (run: Run, at: number, next: Next) => boolean;

export interface Taken {
  /** Steps that it takes to find all matches, or none. Infinity beyond the most that is counted. */
  readonly stepsFor: (text: string) => number;
  /** A text that matches, in pieces: each repeated part is one of its own. */
  readonly example: readonly string[];
  /** A character for every single one that the expression asks for. */
  readonly alphabet: readonly string[];
}

const mostSteps = 300_000;
const candidates = [...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)), "\n", "\u0085", "é"];

/** Takes an expression apart. Throws where it uses what this cannot read. */
export function takeApart({ source, flags }: RegExp): Taken {
  const setFlags = flags.replaceAll(/[gy]/g, "");
  const alphabet = new Set<string>();
  const pieces: string[] = [];
  let at = 0;
  const peek = (text: string) => source.startsWith(text, at);
  const take = (text: string) => {
    const isNext = peek(text);
    if (isNext) at += text.length;
    return isNext;
  };

  const single = (pattern: string): Matcher => {
    const set = new RegExp(`^(?:${pattern})$`, setFlags);
    const sample = candidates.find((each) => set.test(each)) ?? "";
    alphabet.add(sample);
    pieces.push(sample);
    return (run, from, next) => {
      run.steps += 1;
      return from < run.text.length && set.test(run.text[from] ?? "") && next(from + 1);
    };
  };
  const assertion =
    (holds: (run: Run, from: number) => boolean): Matcher =>
    (run, from, next) => {
      run.steps += 1;
      return holds(run, from) && next(from);
    };
  const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character);

  function alternatives(): Matcher {
    const branches = [sequence()];
    while (take("|")) {
      const length = pieces.length;
      branches.push(sequence());
      pieces.length = length;
    }
    return (run, from, next) => branches.some((branch) => branch(run, from, next));
  }

  function sequence(): Matcher {
    const parts: Matcher[] = [];
    while (at < source.length && !peek("|") && !peek(")")) parts.push(repeated());
    return parts.reduceRight<Matcher>(
      (rest, part) => (run, from, next) => part(run, from, (to) => rest(run, to, next)),
      (_run, from, next) => next(from),
    );
  }

  function repeated(): Matcher {
    const start = pieces.length;
    const part = atom();
    const bounds = /^(?:\*|\+|\?|\{(\d+)(,(\d*))?\})/.exec(source.slice(at));
    if (bounds === null) return part;
    at += bounds[0].length;
    const isLazy = take("?");
    const [least, most] = boundsOf(bounds);
    pieces.splice(
      start,
      pieces.length - start,
      pieces
        .slice(start)
        .join("")
        .repeat(Math.max(1, Math.min(least, 9))),
    );
    const loop = (run: Run, from: number, next: Next, count: number): boolean => {
      run.steps += 1;
      if (run.steps > mostSteps) throw new RangeError("too many steps");
      const again = () =>
        count < most && part(run, from, (to) => (to > from || count < least) && loop(run, to, next, count + 1));
      if (count < least) return again();
      return isLazy ? next(from) || again() : again() || next(from);
    };
    return (run, from, next) => loop(run, from, next, 0);
  }

  function atom(): Matcher {
    if (take("^")) return assertion(({ text }, from) => from === 0 || (flags.includes("m") && text[from - 1] === "\n"));
    if (take("$")) {
      return assertion(({ text }, from) => from === text.length || (flags.includes("m") && text[from] === "\n"));
    }
    if (take("\\b")) return assertion(({ text }, from) => isWord(text[from - 1]) !== isWord(text[from]));
    const look = /^\(\?(<?)([=!])/.exec(source.slice(at));
    if (look !== null) {
      at += look[0].length;
      const length = pieces.length;
      const inner = alternatives();
      pieces.length = length;
      if (!take(")")) throw new Error(`${source}: a group has no end`);
      const isWanted = look[2] === "=";
      // Looking behind, only the last character: more is written nowhere here.
      const back = look[1] === "<" ? 1 : 0;
      return assertion((run, from) => (from >= back && inner(run, from - back, () => true)) === isWanted);
    }
    if (take("(")) {
      const [kind = ""] = /^\?(?::|<\w+>)/.exec(source.slice(at)) ?? [];
      at += kind.length;
      if (peek("?")) throw new Error(`${source}: a group that cannot be read`);
      const inner = alternatives();
      if (!take(")")) throw new Error(`${source}: a group has no end`);
      return inner;
    }
    const one =
      /^(?:\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^1-9k]|\[(?:[^\]\\]|\\.)*\]|[^\\[])/i;
    const [found = ""] = one.exec(source.slice(at)) ?? [];
    if (found === "") throw new Error(`${source}: cannot be read from ${at} on`);
    at += found.length;
    return single(found);
  }

  const whole = alternatives();
  if (at !== source.length) throw new Error(`${source}: cannot be read from ${at} on`);
  return {
    alphabet: [...alphabet],
    example: pieces,
    stepsFor(text) {
      const run: Run = { text, steps: 0 };
      try {
        for (let from = 0; from <= text.length; ) {
          let end = from;
          const isMatch = whole(run, from, (to) => {
            end = to;
            return true;
          });
          if (isMatch && !/[gy]/.test(flags)) break;
          from = Math.max(end, from + 1);
        }
        return run.steps;
      } catch (error) {
        if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
        throw error;
      }
    },
  };
}

function boundsOf([whole, least, more, most]: RegExpExecArray): [number, number] {
  if (whole === "*") return [0, Number.POSITIVE_INFINITY];
  if (whole === "+") return [1, Number.POSITIVE_INFINITY];
  if (whole === "?") return [0, 1];
  if (more === undefined) return [Number(least), Number(least)];
  return [Number(least), most === "" ? Number.POSITIVE_INFINITY : Number(most)];
}

/**
 * How much more it takes at worst when a hostile text gets twice as long: about 2 for what is linear, about 4 for what is
 * quadratic. The texts begin like a match, go on with one or two characters again and again, and end in something else.
 */
export function worstGrowth(pattern: RegExp): { readonly growth: number; readonly text: string } {
  const { stepsFor, example, alphabet } = takeApart(pattern);
  const starts = new Set(["", ...example.map((_, index) => example.slice(0, index).join(""))]);
  const singles = [...alphabet, "!"].slice(0, 40);
  const pairs = alphabet.length > 8 ? [] : alphabet.flatMap((one) => alphabet.map((other) => one + other));
  let worst = { growth: 0, text: "" };
  for (const start of [...starts].slice(-12).concat("")) {
    for (const pump of [...singles, ...pairs, example.join("")].filter((each) => each !== "")) {
      for (const end of ["", "\u0000", "!"]) {
        const text = (times: number) => start + pump.repeat(times) + end;
        const [few, many] = [stepsFor(text(64)), stepsFor(text(128))];
        const growth = few === Number.POSITIVE_INFINITY ? few : many / few;
        if (growth > worst.growth) worst = { growth, text: `${start}${pump}…${end}` };
      }
    }
  }
  return worst;
}
