// What protos say of their messages: the comments, which are the one description of each member.
import { readFileSync } from "node:fs";

export interface MemberDoc {
  /** As in JSON; a word, for a value of an enum. */
  readonly name: string;
  /** What the proto calls it: `double`, `repeated int32`, a message; empty for a value of an enum. */
  readonly type: string;
  readonly comment: string;
}

export interface TypeDoc {
  readonly kind: "message" | "enum";
  readonly name: string;
  readonly comment: string;
  readonly members: readonly MemberDoc[];
}

/** Messages and enums of a file, in its order, with comments as the JSON interface would put them. */
export function readTypes(file: string): TypeDoc[] {
  const types: (TypeDoc & { members: MemberDoc[] })[] = [];
  let comment: string[] = [];
  for (const line of readFileSync(`proto/assessment/v1/${file}`, "utf8").split("\n")) {
    const [, words] = /^ *\/\/ ?(.*)$/.exec(line) ?? [];
    if (words !== undefined) {
      comment.push(words);
      continue;
    }
    const [, kind, typeName = ""] = /^(message|enum) (\w+) \{$/.exec(line) ?? [];
    const [, type = "", name = ""] =
      /^ +(?:optional )?((?:repeated )?[\w.]+ )?(\w+) = \d+(?:;| \[.*)$/.exec(line) ?? [];
    const text = inJson(comment.join(" "));
    comment = [];
    if (kind === "message" || kind === "enum") types.push({ kind, name: typeName, comment: text, members: [] });
    const current = types.at(-1);
    if (name === "" || current === undefined) continue;
    const member = current.kind === "message" ? camelCase(name) : wordOf(name, current.name);
    if (member !== "unspecified") current.members.push({ name: member, type: type.trim(), comment: text });
  }
  return types;
}

/** Members are named in lowerCamelCase there, and what a message leaves out is null. */
function inJson(comment: string): string {
  return comment
    .replace(/`[^`]+`/g, (code) => code.replace(/[a-z]+(?:_[a-z]+)+/g, camelCase))
    .replace(/\bAbsent\b/g, "Null")
    .replace(/\babsent\b/g, "null");
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `PAIRING_KIND_HARMONY` of PairingKind is `harmony`. */
function wordOf(name: string, enumName: string): string {
  const prefix = `${enumName.replace(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase()}_`;
  return name.slice(prefix.length).toLowerCase();
}
