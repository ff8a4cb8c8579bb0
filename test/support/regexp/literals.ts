// The regular expressions that a TypeScript file writes down.

/** What may stand before a literal; after anything else a slash divides. */
const beforeLiteral = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in))$/;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const text = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;
const literal = /\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/y;

/** Every literal of a source, in order. */
export function regExpLiterals(source: string): RegExp[] {
  const found: RegExp[] = [];
  /** Templates that are open: what counts is how deep their expressions are in braces. */
  const braces: number[] = [];
  let before = "";
  let isTemplate = false;
  const read = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  for (let at = 0; at < source.length; ) {
    const character = source[at] ?? "";
    if (isTemplate) {
      if (character === "`") isTemplate = false;
      if (character === "$" && source[at + 1] === "{") {
        braces.push(0);
        isTemplate = false;
        before = "{";
        at += 1;
      }
      at += character === "\\" ? 2 : 1;
      continue;
    }
    const skipped = read(comment, at) ?? read(text, at);
    if (skipped !== null) {
      if (!skipped[0].startsWith("/")) before = '"';
      at += skipped[0].length;
      continue;
    }
    const match = character === "/" && beforeLiteral.test(before.trimEnd()) ? read(literal, at) : null;
    if (match !== null) {
      found.push(new RegExp(match[1] ?? "", match[2]));
      before = "/";
      at += match[0].length;
      continue;
    }
    if (character === "`") isTemplate = true;
    if (character === "{" && braces.length > 0) braces[braces.length - 1] = (braces.at(-1) ?? 0) + 1;
    if (character === "}" && braces.length > 0) {
      const depth = braces.pop() ?? 0;
      if (depth === 0) isTemplate = true;
      else braces.push(depth - 1);
    }
    before = (before + character).slice(-10);
    at += 1;
  }
  return found;
}
