// The file an instrument's author writes: one JSON document is one assessment version. Its schema says what members mean.
import type { Allowed } from "../../../json/json-schema.ts";
import type { definitionSchema } from "./schema/definition-schema.ts";

type Unchanging<T> = T extends object ? { readonly [K in keyof T]: Unchanging<T[K]> } : T;

/** One assessment version as its author wrote it. */
export type Definition = Unchanging<Allowed<typeof definitionSchema>> & {
  /** That of a definition which was derived from an author's; absent in files, and for all statements. */
  readonly form?: "short";
};

export type Scale = Definition["scale"];
export type Frame = Definition["frames"][number];
export type ValueDefinition = Definition["values"][number];
export type Item = ValueDefinition["items"][number];
export type OrderRule = Definition["order"];
export type ArchetypeDefinition = Definition["archetypes"][number];
export type Translation = NonNullable<Definition["translations"]>[number];
export type TranslatedValue = Translation["values"][number];
