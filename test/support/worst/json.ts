// JSON texts at the size limit that cost a careless reader most.
import { soundDefinition } from "../values-bridge/definition.ts";
import { languageTag, repeated } from "./texts.ts";

/** Named makers of values of about that many bytes, as text. */
export function worstJson(bytes: number): [string, () => string][] {
  const list = (item: string) => `[${repeated(`${item},`, bytes - item.length - 2)}`.replace(/,[^,]*$/, `,${item}]`);
  const wide = () =>
    Array.from({ length: Math.floor(bytes / 10) }, (_, index) => `"k${index.toString(36)}":1`).join(",");
  return [
    ["deep lists", () => "[".repeat(bytes / 2) + "]".repeat(bytes / 2)],
    ["deep lists that do not end", () => "[".repeat(bytes)],
    ["deep objects", () => `${'{"a":'.repeat(bytes / 6)}1${"}".repeat(bytes / 6)}`],
    ["a wide list", () => list("0")],
    ["a wide list of objects", () => list("{}")],
    ["a wide list of lists", () => list("[]")],
    ["a wide object", () => `{${wide()}}`],
    ["a member again and again", () => `{${repeated('"a":1,', bytes).replace(/,[^,]*$/, "")}}`],
    ["escapes", () => `"${repeated("\\u0001", bytes - (bytes % 6))}"`],
    ["half characters", () => `"${repeated("\\ud800", bytes - (bytes % 6))}"`],
    ["a long text", () => `"${"a".repeat(bytes)}"`],
    ["a list of one long language tag", () => JSON.stringify([languageTag(bytes - 10)])],
    ["a list of language tags", () => list(JSON.stringify(languageTag(30)))],
    ["digits", () => "9".repeat(bytes)],
    ["digits behind the point", () => `0.${"3".repeat(bytes)}`],
    ["spaces", () => `${" ".repeat(bytes)}1`],
    ["nearly answers", () => list('{"questionId":1001,"response":{"type":"likert","value":4}}')],
    ["different answers", () => answers(bytes)],
    ["deep lists in a text", () => JSON.stringify("[".repeat(bytes - 10))],
    ["a text of spaces and a number", () => JSON.stringify(`${" ".repeat(bytes - 10)}1`)],
    ["a large definition in a text", () => JSON.stringify(definition(bytes))],
  ];
}

/** A definition that has far more values than it may, each of them right. */
function definition(bytes: number): string {
  const sound = soundDefinition();
  const [value] = sound.values;
  // In a text every quote takes two bytes.
  const count = Math.floor(bytes / (JSON.stringify(JSON.stringify(value)).length + 4)) - 100;
  const values = Array.from({ length: Math.max(1, count) }, (_, index) => ({
    ...value,
    id: index + 1,
    name: `v${index}`,
  }));
  return JSON.stringify({ ...sound, values });
}

function answers(bytes: number): string {
  const item = (index: number) => `{"questionId":${1001 + index},"response":{"type":"likert","value":4}}`;
  return `[${Array.from({ length: Math.floor(bytes / 62) }, (_, index) => item(index)).join(",")}]`;
}
