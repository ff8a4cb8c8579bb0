// The format of an assessment version: one JSON document. definition.schema.json describes its members.

import type { TranslationState } from "../quality/model.ts";
import type { ArchetypeRule, LifeContext, Pairing } from "../scoring/model.ts";
import type { ScoringConstants } from "../scoring/shapes.ts";

/** One assessment version. */
export interface Definition {
  readonly $schema?: string;
  readonly product: string;
  readonly title: string;
  readonly language: string;
  readonly scale: Scale;
  readonly frames: readonly Frame[];
  readonly values: readonly ValueDefinition[];
  readonly order: { readonly valueStride: number; readonly roundStride: number };
  readonly pairings: readonly Pairing[];
  readonly archetypes: readonly ArchetypeDefinition[];
  readonly unresolvedArchetype: ArchetypeTexts & { readonly id: number };
  readonly scoring: ScoringConstants;
  readonly translations?: readonly Translation[];
  /** Of the derived definition of the short form; absent in files. */
  readonly form?: "short";
}

export interface Scale {
  readonly type: "likert";
  readonly min: number;
  readonly max: number;
  readonly labels: readonly string[];
}

export interface Frame {
  readonly lifeContext: LifeContext;
  readonly text: string;
}

export interface ValueDefinition {
  readonly id: number;
  readonly name: string;
  readonly goal: string;
  readonly items: readonly Item[];
}

export interface Item {
  readonly predicate: string;
  readonly inverse: boolean;
  readonly weight: number;
  readonly short?: boolean;
  /** Its number among all items of the value, from 1; absent in files. */
  readonly number?: number;
}

interface ArchetypeTexts {
  readonly name: string;
  readonly summary: string;
}

export interface ArchetypeDefinition extends ArchetypeRule, ArchetypeTexts {}

export interface Translation {
  readonly language: string;
  readonly state?: TranslationState;
  readonly title: string;
  readonly labels: readonly string[];
  readonly frames: readonly Frame[];
  readonly values: readonly (Omit<ValueDefinition, "items"> & { readonly predicates: readonly string[] })[];
  readonly archetypes: readonly (ArchetypeTexts & { readonly id: number })[];
  readonly unresolvedArchetype: ArchetypeTexts;
}
