// The file an instrument's author writes: one JSON document is one assessment version.

import type { TranslationState } from "../quality/model.ts";
import type { ArchetypeRule, LifeContext, Pairing, ScoringConstants } from "../scoring/model.ts";

/** A statement without its frame; asked once for each life context. */
export interface Item {
  /** Completes the frame, for example "I arrange my days in the way that suits me". */
  readonly predicate: string;
  /** True if agreement counts against the value: an attractive motive opposed to it. */
  readonly inverse: boolean;
  /** 0..100 with at most 3 decimals. */
  readonly weight: number;
  /** Whether the short form asks it too. */
  readonly short?: boolean;
}

export interface ValueDefinition {
  readonly id: number;
  /** The name shown to people. */
  readonly name: string;
  /** The motivational goal in one sentence. */
  readonly goal: string;
  readonly items: readonly Item[];
}

export interface Frame {
  readonly lifeContext: LifeContext;
  /** Holds `{predicate}` exactly once. */
  readonly text: string;
}

/** The response scale, the same for every statement. */
export interface Scale {
  readonly type: "likert";
  /** 0..253; `min < max <= 253`. */
  readonly min: number;
  readonly max: number;
  /** One label for each rating from `min` to `max`. */
  readonly labels: readonly string[];
}

/**
 * How statements are put in order. Each context is one block; a block has as many rounds as a value has items;
 * round r asks the values at circle positions `(valueStride * j + roundStride * r) mod n`, j = 0..n-1.
 * The inverse item of the value with id v is asked in round `v mod rounds`, the others fill the rounds that are left in file order.
 */
export interface OrderRule {
  /** Coprime to the number of values, so that every round asks each value once. */
  readonly valueStride: number;
  readonly roundStride: number;
}

export interface ArchetypeDefinition extends ArchetypeRule {
  readonly summary: string;
}

/** The texts of an assessment that people read, in another language. */
export interface Translation {
  /** BCP 47 tag, another one than that of the definition and of every other translation. */
  readonly language: string;
  /** Absent: `draft`. */
  readonly state?: TranslationState;
  readonly title: string;
  /** One label for each rating from `min` to `max`. */
  readonly labels: readonly string[];
  /** One for each life context. */
  readonly frames: readonly Frame[];
  /** One entry for each value. */
  readonly values: readonly TranslatedValue[];
  /** One entry for each archetype but the unresolved one. */
  readonly archetypes?: readonly { readonly id: number; readonly name: string; readonly summary: string }[];
  readonly unresolvedArchetype?: { readonly name: string; readonly summary: string };
}

export interface TranslatedValue {
  readonly id: number;
  /** One for each item of the value, in their order. */
  readonly predicates: readonly string[];
  /** For all values of a translation or for none, like the goal. */
  readonly name?: string;
  readonly goal?: string;
}

/** One assessment version as its author wrote it. */
export interface Definition {
  /** Where editors find the JSON Schema of this format; ignored here. */
  readonly $schema?: string;
  /** That of a definition which was derived from an author's; absent in files, and for all statements. */
  readonly form?: "short";
  readonly product: string;
  readonly title: string;
  /** BCP 47 tag of the language of all texts. */
  readonly language: string;
  readonly scale: Scale;
  /** In the order of the blocks. */
  readonly frames: readonly Frame[];
  /** In circular order. */
  readonly values: readonly ValueDefinition[];
  readonly order: OrderRule;
  readonly pairings: readonly Pairing[];
  readonly archetypes: readonly ArchetypeDefinition[];
  /** The archetype of results that allow none of the others. */
  readonly unresolvedArchetype: { readonly id: number; readonly name: string; readonly summary: string };
  readonly scoring: ScoringConstants;
  /** Each one has all texts that a person answers; names, goals and archetypes that it omits stay untranslated. */
  readonly translations?: readonly Translation[];
}
