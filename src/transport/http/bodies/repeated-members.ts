// Finds members that an object of JSON has twice: a parser keeps the last of them without a word.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Violation } from "../../../kernel/errors/violation.ts";

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** An object or a list around the present place. The next one at the same depth uses it again. */
interface Level {
  readonly names: Set<string>;
  isObject: boolean;
  /** The present member or item. */
  segment: string | number;
}

/**
 * The path of the first member that its object has already; undefined: there is none. The text is only searched where it has
 * more colons than its value has members: a text within it has one, or a member was lost.
 * @param text valid JSON. @param value the same, parsed
 */
export function repeatedMember(text: string, value: JsonValue): Violation["path"] | undefined {
  if (colonsIn(text) === membersIn(value)) return undefined;
  const levels: Level[] = [];
  let depth = 0;
  let level: Level = { names: new Set(), isObject: false, segment: 0 };
  let isName = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) {
      const end = endOfText(text, index);
      if (isName) {
        const written = text.slice(index + 1, end);
        const name: string = written.includes("\\") ? JSON.parse(`"${written}"`) : written;
        level.segment = name;
        if (level.names.has(name)) return levels.slice(0, depth).map(({ segment }) => segment);
        level.names.add(name);
      }
      isName = false;
      index = end;
    } else if (character === comma) {
      isName = level.isObject;
      if (typeof level.segment === "number") level.segment += 1;
    } else if (character === openObject || character === openList) {
      isName = character === openObject;
      level = levels[depth] ?? { names: new Set(), isObject: isName, segment: 0 };
      level.names.clear();
      level.isObject = isName;
      level.segment = isName ? "" : 0;
      levels[depth] = level;
      depth += 1;
    } else if (character === closeObject || character === closeList) {
      depth -= 1;
      level = levels[depth - 1] ?? level;
    }
  }
  return undefined;
}

function colonsIn(text: string): number {
  let count = 0;
  for (let index = text.indexOf(":"); index >= 0; index = text.indexOf(":", index + 1)) count += 1;
  return count;
}

/** Without recursion: a body may be nested as deeply as it is long. */
function membersIn(value: JsonValue): number {
  const open = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const values = Object.values(next);
    if (!Array.isArray(next)) count += values.length;
    for (const each of values) if (typeof each === "object") open.push(each);
  }
  return count;
}

/** Of a text that begins there: a quote after an odd number of backslashes is a part of it. */
function endOfText(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  for (;;) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
}
