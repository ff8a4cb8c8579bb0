// The valid parts of a definition that has faults elsewhere, so that the rules still run on them.
import type { Definition } from "../definition.ts";
import { definitionSchema, type Schema } from "../schema.ts";
import { quote } from "./faults.ts";

/**
 * One object of a definition. A member is undefined if it is missing or has a shape fault at any depth. Objects and lists of
 * objects are always there: a list has an entry for each entry of the file, broken ones too, and is empty if it is missing
 * or of a length that the schema refuses.
 */
export type Part<T> = {
  readonly pointer: string;
  /** The names of its members in the file, broken ones too: what is not among them was left out. */
  readonly written: ReadonlySet<string>;
} & { readonly [K in keyof T]-?: PartMember<NonNullable<T[K]>, T[K]> };

type PartMember<Given, T> = Given extends readonly (infer Entry)[]
  ? Entry extends object
    ? readonly Part<Entry>[]
    : T | undefined
  : Given extends object
    ? Part<Given>
    : T | undefined;

export type DefinitionPart = Part<Definition>;
export type ValuePart = DefinitionPart["values"][number];
export type TranslationPart = DefinitionPart["translations"][number];

/**
 * Reads the valid parts.
 * @param broken pointers of shape faults; everything that contains one of them counts as broken too
 */
export function readParts(input: unknown, broken: ReadonlySet<string>): DefinitionPart {
  const unsound = withAncestors(broken);
  const read = (schema: Schema, data: unknown, pointer: string): unknown => {
    const { type, properties = {}, items } = schema;
    if (type === "object") {
      const members: Record<string, unknown> = isObject(data) ? data : {};
      const parts = Object.entries(properties).map(([name, member]) => {
        return [name, read(member, members[name], `${pointer}/${name}`)];
      });
      return { ...Object.fromEntries(parts), pointer, written: new Set(Object.keys(members)) };
    }
    if (items?.type !== "object") return unsound.has(pointer) ? undefined : data;
    if (broken.has(pointer) || !Array.isArray(data)) return [];
    return data.map((entry, index) => read(items, entry, `${pointer}/${index}`));
  };
  return read(definitionSchema, input, "#") as DefinitionPart;
}

/** How messages name an entry of a list: by its name, or by its place. */
export function labelOf({ pointer, name }: Pick<ValuePart, "pointer" | "name">): string {
  return name === undefined ? `no. ${Number(pointer.slice(pointer.lastIndexOf("/") + 1)) + 1}` : quote(name);
}

function withAncestors(pointers: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const pointer of pointers) {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) all.add(pointer.slice(0, end));
  }
  return all;
}

function isObject(data: unknown): data is Record<string, unknown> {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
