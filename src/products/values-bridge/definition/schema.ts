// The shape of a definition file, as definition.schema.json has it. Editors and authors read its titles and descriptions, and the
// messages for shape faults are built from them. Rules between members are in check/rules/.
import document from "./definition.schema.json" with { type: "json" };

/** A JSON Schema (draft 2020-12) without references. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

const { $defs, ...root } = document;

/** A schema with references replaced by what they refer to: so that messages know the title beside a reference. */
function resolve({ $ref, ...own }: Schema): Schema {
  const definition = Object.entries<Schema>($defs).find(([name]) => $ref === `#/$defs/${name}`)?.[1];
  const { properties, items, ...keywords }: Schema = { ...definition, ...own };
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, resolve(member)] as const);
  return {
    ...keywords,
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(items && { items: resolve(items) }),
  };
}

export const definitionSchema = resolve(root);
