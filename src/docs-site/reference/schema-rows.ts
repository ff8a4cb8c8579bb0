// A schema as the rows of a table: one for each member, nested ones included.
import { type ApiDocument, resolve, type Schema } from "./api-document.ts";

export interface SchemaRow {
  /** For example `answers[].response.value`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Deeper members are only in the OpenAPI document. */
const maxDepth = 6;

/** The rows of a schema's members. */
export function schemaRows(schema: Schema, document: ApiDocument): SchemaRow[] {
  return membersOf(schema, document, "", 0);
}

function membersOf(schema: Schema, document: ApiDocument, prefix: string, depth: number): SchemaRow[] {
  if (depth > maxDepth) return [];
  const { anyOf = [], oneOf = [], allOf = [], properties = {}, required = [], items } = schema;
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const known = resolve(member, document);
    const row = {
      name: `${prefix}${name}`,
      type: typeOf(known, document),
      isRequired: required.includes(name),
      description: described(member, known),
    };
    return [row, ...membersOf(known, document, `${prefix}${name}.`, depth + 1)];
  });
  const place = `${prefix.replace(/\.$/, "")}[].`;
  const inside = items === undefined ? [] : membersOf(resolve(items, document), document, place, depth + 1);
  const others = [...anyOf, ...oneOf, ...allOf].flatMap((variant) =>
    membersOf(resolve(variant, document), document, prefix, depth),
  );
  return unique([...own, ...inside, ...others]);
}

/** Variants share members. */
function unique(rows: readonly SchemaRow[]): SchemaRow[] {
  return [...new Map(rows.toReversed().map((row) => [row.name, row])).values()].toReversed();
}

function typeOf(schema: Schema, document: ApiDocument): string {
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (variants.length > 0) {
    return [...new Set(variants.map((variant) => typeOf(resolve(variant, document), document)))].join(" or ");
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? (schema.properties ? "object" : "any")].flat();
  return types.map((type) => (type === "array" ? `array of ${itemsOf(schema, document)}` : type)).join(" or ");
}

function itemsOf({ items }: Schema, document: ApiDocument): string {
  return items === undefined ? "any" : typeOf(resolve(items, document), document);
}

function described(member: Schema, known: Schema): string {
  const { enum: values, minimum, maximum, minLength, maxLength, minItems, maxItems, format } = known;
  const standard = member.default ?? known.default;
  const limits = [
    values === undefined ? "" : `One of ${values.map((value) => `\`${value}\``).join(", ")}.`,
    format === undefined ? "" : `Format: ${format}.`,
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    standard === undefined ? "" : `Default: \`${standard}\`.`,
  ];
  return [member.description ?? known.description ?? "", ...limits].filter((text) => text !== "").join(" ");
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return "";
  if (least === undefined) return `At most ${most}${unit}.`;
  return most === undefined ? `At least ${least}${unit}.` : `${least} to ${most}${unit}.`;
}
