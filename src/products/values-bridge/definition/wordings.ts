// The texts of an assessment that people read, in each of its languages.
import type * as proto from "../../../gen/assessment/v1/hosted_service_pb.ts";
import type { ShapeOf } from "../../../json/messages.ts";
import { type TranslationState, translationStates } from "../quality/model.ts";
import type { LifeContext } from "../scoring/model.ts";
import type { Definition, ValueDefinition } from "./definition.ts";
import { arrangeQuestions, type Choice, type Question } from "./questions.ts";

/** An assessment in one language. */
export interface Wording extends StatementLanguage {
  readonly title: string;
  /** By position. */
  readonly questions: readonly Question[];
  /** Of values, in circular order, and of archetypes, the unresolved one last. */
  readonly names: {
    readonly values: readonly Pick<ValueDefinition, "id" | "name" | "goal">[];
    readonly archetypes: readonly Definition["unresolvedArchetype"][];
  };
  /** One for each rating, lowest first. */
  readonly choices: readonly Choice[];
  /** In asking order. */
  readonly sections: readonly Section[];
}

interface FieldOverrides {
  readonly "assessment.v1.HostedSection": { readonly lifeContext: LifeContext };
}

type SectionShape = ShapeOf<proto.HostedSection, FieldOverrides>;

/** The statements of one life context, which share a sentence frame. Their texts are the predicates. */
export interface Section extends Omit<SectionShape, "statements"> {
  readonly statements: readonly Omit<SectionShape["statements"][number], "value">[];
}

/** The wordings of a valid definition: its own language first, then its translations. */
export function toWordings(definition: Definition, assessmentId: number): Wording[] {
  return listLanguages(definition).map((language) => toWording(definition, language, assessmentId));
}

/** A definition with its texts in another of its languages; itself if it has no translation into that. */
export function translate(definition: Definition, language: string | undefined): Definition {
  const translation = definition.translations?.find((each) => each.language === language);
  if (translation === undefined) return definition;
  const { title, labels, frames, values, archetypes, unresolvedArchetype } = translation;
  return {
    ...definition,
    language: translation.language,
    title,
    scale: { ...definition.scale, labels },
    frames: definition.frames.map((frame) => ({
      ...frame,
      ...frames.find(({ lifeContext }) => lifeContext === frame.lifeContext),
    })),
    values: definition.values.map((value) => {
      const { predicates = [], ...texts } = values.find(({ id }) => id === value.id) ?? {};
      const items = value.items.map((item, index) => ({ ...item, predicate: predicates[index] ?? item.predicate }));
      return { ...value, ...texts, items };
    }),
    archetypes: definition.archetypes.map((archetype) => ({
      ...archetype,
      ...archetypes.find(({ id }) => id === archetype.id),
    })),
    unresolvedArchetype: { ...definition.unresolvedArchetype, ...unresolvedArchetype },
  };
}

function toWording(definition: Definition, shownLanguage: StatementLanguage, assessmentId: number): Wording {
  const translated = translate(definition, shownLanguage.language);
  const { title, frames, values, archetypes, unresolvedArchetype } = translated;
  const questions = arrangeQuestions(translated, assessmentId);
  return {
    ...shownLanguage,
    title,
    questions,
    names: { values, archetypes: [...archetypes, unresolvedArchetype] },
    choices: questions[0]?.choices ?? [],
    sections: frames.map(({ lifeContext, text }) => {
      const [before = "", after = ""] = text.split("{predicate}").map((part) => part.trim());
      const statements = questions
        .filter((question) => question.valuesBridgeConfig.lifeContext === lifeContext)
        .map(({ id, position, predicate, required }) => ({ questionId: id, position, text: predicate, required }));
      return { lifeContext, before, after, statements };
    }),
  };
}

/** A language that statements are shown in. */
export interface StatementLanguage {
  /** BCP 47 tag. */
  readonly language: string;
  /** Null for the language that the statements were written in. */
  readonly translationState: TranslationState | null;
}

/** The languages of a definition: its own first, then those of its translations. */
export function listLanguages({
  language,
  translations = [],
}: Pick<Definition, "language" | "translations">): StatementLanguage[] {
  return [
    { language, translationState: null },
    ...translations.map((each) => ({ language: each.language, translationState: each.state ?? "draft" })),
  ];
}

/**
 * The translation state of statements answered in a language; null if they are no translation. For an unknown language it is the
 * lowest state of all.
 */
export function findState(languages: readonly StatementLanguage[], language: string): TranslationState | null {
  const shownLanguage = languages.find((each) => each.language === language);
  if (shownLanguage !== undefined) return shownLanguage.translationState;
  const states = new Set(languages.map(({ translationState }) => translationState));
  return translationStates.find((state) => states.has(state)) ?? null;
}
