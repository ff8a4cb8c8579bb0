// The valid parts of a definition that has faults elsewhere, so that the rules still run on them.

import type { Pairing, ScoringConstants, Tier } from "../../scoring/model.ts";
import type {
  ArchetypeDefinition,
  Definition,
  Frame,
  Item,
  OrderRule,
  Scale,
  TranslatedValue,
  Translation,
  ValueDefinition,
} from "../definition.ts";
import { quote } from "./faults.ts";

/** One object of a definition. */
export interface Part<T> {
  readonly pointer: string;
  /** Only the members that exist and have no shape fault, at any depth. */
  readonly members: Partial<T>;
}

export interface ValuePart extends Part<ValueDefinition> {
  /** How messages name the value. */
  readonly label: string;
  readonly items: readonly Part<Item>[];
}

export interface TranslationPart extends Part<Translation> {
  readonly written: ReadonlySet<string>;
  readonly frames: readonly Part<Frame>[];
  readonly values: readonly TranslatedValuePart[];
  readonly archetypes: readonly Part<TranslatedArchetype>[];
  readonly unresolvedArchetype: Part<TranslatedArchetype>;
}

export interface TranslatedValuePart extends Part<TranslatedValue> {
  /** The names of its members in the file, broken ones too: what is not among them was left out. */
  readonly written: ReadonlySet<string>;
}

type TranslatedArchetype = NonNullable<Translation["archetypes"]>[number];

/**
 * A definition in parts. Lists hold an entry for each entry of the file, broken ones with the members that are left;
 * a list that is missing, or of a length that the schema refuses, is empty.
 */
export interface DefinitionParts {
  readonly product: string | undefined;
  readonly language: string | undefined;
  readonly scale: Partial<Scale>;
  readonly frames: readonly Part<Frame>[];
  readonly values: readonly ValuePart[];
  readonly order: Partial<OrderRule>;
  readonly pairings: readonly Part<Pairing>[];
  readonly archetypes: readonly Part<ArchetypeDefinition>[];
  readonly unresolvedArchetype: Part<Definition["unresolvedArchetype"]>;
  readonly scoring: Partial<ScoringConstants>;
  readonly tiers: readonly Part<Tier>[];
  readonly translations: readonly TranslationPart[];
}

/**
 * Reads the valid parts.
 * @param broken pointers of shape faults; everything that contains one of them counts as broken too
 */
export function readParts(input: unknown, broken: ReadonlySet<string>): DefinitionParts {
  const unsound = withAncestors(broken);
  const part = <T>(data: unknown, pointer: string): Part<T> => ({
    pointer,
    members: soundMembers<T>(data, pointer, unsound),
  });
  const listOf = (data: unknown, pointer: string): readonly unknown[] => (broken.has(pointer) ? [] : asList(data));
  const partsOf = <T>(data: unknown, pointer: string): Part<T>[] =>
    listOf(data, pointer).map((entry, index) => part<T>(entry, `${pointer}/${index}`));
  const raw = asObject(input);
  return {
    product: part<Definition>(input, "#").members.product,
    language: part<Definition>(input, "#").members.language,
    scale: part<Scale>(raw.scale, "#/scale").members,
    frames: partsOf<Frame>(raw.frames, "#/frames"),
    values: listOf(raw.values, "#/values").map((entry, index) => {
      const value = part<ValueDefinition>(entry, `#/values/${index}`);
      const { name } = value.members;
      return {
        ...value,
        label: name === undefined ? `no. ${index + 1}` : quote(name),
        items: partsOf<Item>(asObject(entry).items, `${value.pointer}/items`),
      };
    }),
    order: part<OrderRule>(raw.order, "#/order").members,
    pairings: partsOf<Pairing>(raw.pairings, "#/pairings"),
    archetypes: partsOf<ArchetypeDefinition>(raw.archetypes, "#/archetypes"),
    unresolvedArchetype: part<Definition["unresolvedArchetype"]>(raw.unresolvedArchetype, "#/unresolvedArchetype"),
    scoring: part<ScoringConstants>(raw.scoring, "#/scoring").members,
    tiers: partsOf<Tier>(asObject(raw.scoring).tiers, "#/scoring/tiers"),
    translations: listOf(raw.translations, "#/translations").map((entry, index) => {
      const translation = part<Translation>(entry, `#/translations/${index}`);
      const { frames, values, archetypes, unresolvedArchetype } = asObject(entry);
      return {
        ...translation,
        written: new Set(Object.keys(asObject(entry))),
        frames: partsOf<Frame>(frames, `${translation.pointer}/frames`),
        values: listOf(values, `${translation.pointer}/values`).map((value, place) => ({
          ...part<TranslatedValue>(value, `${translation.pointer}/values/${place}`),
          written: new Set(Object.keys(asObject(value))),
        })),
        archetypes: partsOf<TranslatedArchetype>(archetypes, `${translation.pointer}/archetypes`),
        unresolvedArchetype: part<TranslatedArchetype>(
          unresolvedArchetype,
          `${translation.pointer}/unresolvedArchetype`,
        ),
      };
    }),
  };
}

function withAncestors(pointers: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const pointer of pointers) {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) all.add(pointer.slice(0, end));
  }
  return all;
}

function soundMembers<T>(data: unknown, pointer: string, unsound: ReadonlySet<string>): Partial<T> {
  const sound = Object.entries(asObject(data)).filter(([name]) => !unsound.has(`${pointer}/${name}`));
  return Object.fromEntries(sound) as Partial<T>;
}

function asObject(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : {};
}

function asList(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : [];
}
