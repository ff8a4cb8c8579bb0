// Comments of the protos, with the field names of JSON. They are the one description of operations, messages and members.
import type { DescEnum, DescEnumValue, DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { comments } from "../../src/gen/comments.ts";
import type { Member } from "../../src/json/members.ts";

const localNames = Object.keys(comments).map((name) => name.slice(name.lastIndexOf(".") + 1));
/** Fields that have another name in JSON. */
const fieldNames: ReadonlySet<string> = new Set(localNames.filter((name) => /^[a-z0-9]+_/.test(name)));

/** A comment, with field names that are marked as code in their JSON form. */
export function findComment(desc: DescMessage | DescMethod | DescField | DescEnum | DescEnumValue): string {
  const name = "typeName" in desc ? desc.typeName : `${desc.parent.typeName}.${desc.name}`;
  const camelCase = (word: string) => word.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return (comments[name] ?? "").replace(/`[^`]+`/g, (code) =>
    code.replace(/\w+/g, (word) => (fieldNames.has(word) ? camelCase(word) : word)),
  );
}

/** The comment of a response member, where an unset field is null or absent. */
export function memberComment({ field, rule, isNullable }: Member): string {
  const comment = findComment(field);
  if (isNullable) return comment.replace(/\b(absent|empty)\b/g, "null").replace(/\b(Absent|Empty)\b/g, "Null");
  return rule.leftOut ? comment.replace(/\b(empty|unspecified)\b/g, "absent") : comment;
}
