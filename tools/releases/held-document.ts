// What a released OpenAPI document promises: whoever wrote a client by it can go on. Additions break nothing.

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Media {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Media>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Whether the service reads what a schema describes, or writes it. */
type Direction = "request" | "response";

/** Promises of a released document that the current one breaks, each in a line. */
export function brokenPromises(released: ApiDocument, current: ApiDocument): string[] {
  const comparison = new Comparison(released, current);
  for (const [path, operations] of Object.entries(released.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const where = `${method.toUpperCase()} ${path}`;
      const now = current.paths[path]?.[method];
      if (now === undefined) comparison.broken.push(`${where} is gone`);
      else comparison.operation(where, operation, now);
    }
  }
  return comparison.broken;
}

class Comparison {
  readonly broken: string[] = [];
  readonly #released: ApiDocument;
  readonly #current: ApiDocument;
  /** Pairs of schemas that are compared already: schemas may hold themselves. */
  readonly #seen = new Set<string>();

  constructor(released: ApiDocument, current: ApiDocument) {
    this.#released = released;
    this.#current = current;
  }

  operation(where: string, released: Operation, current: Operation): void {
    const nameOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`;
    const before = new Map((released.parameters ?? []).map((each) => [nameOf(each), each]));
    const now = new Map((current.parameters ?? []).map((each) => [nameOf(each), each]));
    for (const [name, parameter] of before) {
      const kept = now.get(name);
      if (kept === undefined) this.broken.push(`${where}: ${name} is gone`);
      else this.schema(`${where}: ${name}`, parameter.schema, kept.schema, "request");
    }
    for (const [name, { required }] of now) {
      if (required === true && before.get(name)?.required !== true) this.broken.push(`${where}: ${name} is required`);
    }
    const isRequired = current.requestBody?.required === true && released.requestBody?.required !== true;
    if (isRequired) this.broken.push(`${where}: a body is required`);
    if (released.requestBody) this.media(`${where}: body`, released.requestBody, current.requestBody ?? {}, "request");
    for (const [status, response] of Object.entries(released.responses)) {
      const kept = current.responses[status];
      if (kept === undefined) this.broken.push(`${where}: ${status} is gone`);
      else this.media(`${where}: ${status}`, response, kept, "response");
    }
    const scopes = (operation: Operation) => JSON.stringify(operation.security ?? []);
    if (scopes(released) !== scopes(current)) this.broken.push(`${where}: another scope is required`);
  }

  media(where: string, released: Media, current: Media, direction: Direction): void {
    for (const [type, { schema }] of Object.entries(released.content ?? {})) {
      const kept = current.content?.[type];
      if (kept === undefined) this.broken.push(`${where}: ${type} is gone`);
      else if (schema !== undefined) this.schema(where, schema, kept.schema ?? {}, direction);
    }
  }

  schema(where: string, one: Schema, other: Schema, direction: Direction): void {
    const pair = `${direction} ${one.$ref} ${other.$ref}`;
    if (one.$ref !== undefined && this.#seen.has(pair)) return;
    this.#seen.add(pair);
    const released = resolved(one, this.#released);
    const current = resolved(other, this.#current);
    const [before, now] = [typesOf(released), typesOf(current)];
    // Who sends may go on sending what was taken; who reads gets nothing that was not told of.
    const [held, by] = direction === "request" ? [before, now] : [now, before];
    const strange = [...held].filter((type) => !by.has(type) && !by.has("anything"));
    if (strange.length > 0) this.broken.push(`${where}: ${[...now].join(" or ")}, and was ${[...before].join(" or ")}`);
    const lost = (released.enum ?? []).filter((value) => current.enum !== undefined && !current.enum.includes(value));
    if (lost.length > 0) this.broken.push(`${where}: ${lost.join(", ")} is gone`);
    this.#members(where, released, current, direction);
    if (released.items !== undefined) this.schema(`${where}/*`, released.items, current.items ?? {}, direction);
    for (const [index, alternative] of (released.anyOf ?? []).entries()) {
      const kept = current.anyOf?.[index];
      if (kept !== undefined) this.schema(where, alternative, kept, direction);
    }
  }

  #members(where: string, released: Schema, current: Schema, direction: Direction): void {
    for (const [name, member] of Object.entries(released.properties ?? {})) {
      const kept = current.properties?.[name];
      if (kept === undefined) this.broken.push(`${where}/${name} is gone`);
      else this.schema(`${where}/${name}`, member, kept, direction);
    }
    const [before, now] = [released.required ?? [], current.required ?? []];
    const broken =
      direction === "request"
        ? now.filter((name) => !before.includes(name)).map((name) => `${where}/${name} is required`)
        : before.filter((name) => !now.includes(name)).map((name) => `${where}/${name} may be missing`);
    this.broken.push(...broken);
  }
}

function resolved(schema: Schema, document: ApiDocument): Schema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  if (name === undefined) return schema;
  const named = document.components.schemas[name];
  if (named === undefined) throw new Error(`the document has no schema ${name}`);
  return resolved(named, document);
}

function typesOf({ type, anyOf }: Schema): ReadonlySet<string> {
  if (anyOf !== undefined)
    return new Set(anyOf.flatMap((each) => (each.$ref === undefined ? [...typesOf(each)] : ["object"])));
  if (type === undefined) return new Set(["anything"]);
  return new Set(typeof type === "string" ? [type] : type);
}
