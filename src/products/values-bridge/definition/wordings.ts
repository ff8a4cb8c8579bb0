// The texts of an assessment that people read, in each of its languages.
import type * as proto from "../../../gen/assessment/v1/hosted_service_pb.ts";
import type { ShapeOf } from "../../../json/shape-of.ts";
import { type TranslationState, translationStates } from "../quality/model.ts";
import { at } from "../scoring/exact.ts";
import type { LifeContext } from "../scoring/model.ts";
import type { Definition, Translation } from "./definition.ts";
import { type Names, namesOf } from "./names.ts";
import { arrangeQuestions, type Choice, type Question } from "./questions.ts";

/** An assessment in one language. */
export interface Wording extends StatementLanguage {
  readonly title: string;
  /** By position. */
  readonly questions: readonly Question[];
  readonly names: Names;
  /** One for each rating, lowest first. */
  readonly choices: readonly Choice[];
  /** In the order they are asked. */
  readonly sections: readonly Section[];
}

interface Own {
  readonly "assessment.v1.HostedSection": { readonly lifeContext: LifeContext };
}

type SectionShape = ShapeOf<proto.HostedSection, Own>;

/** The statements of one life context, which share a sentence frame. Their texts are the predicates. */
export interface Section extends Omit<SectionShape, "statements"> {
  readonly statements: readonly Omit<SectionShape["statements"][number], "value">[];
}

/** The wordings of a valid definition: its own language first, then its translations. */
export function wordingsOf(definition: Definition, assessmentId: number): Wording[] {
  const translated = (definition.translations ?? []).map((translation) => translate(definition, translation));
  const languages = languagesOf(definition);
  const namesByLanguage = namesOf(definition);
  return [definition, ...translated].map((each, index) => {
    const { translationState } = at(languages, index);
    return { ...wordingOf(each, assessmentId), translationState, names: at(namesByLanguage, index) };
  });
}

function translate(definition: Definition, translation: Translation): Definition {
  const { language, title, labels, frames, values } = translation;
  const textOf = (lifeContext: LifeContext) => frames.find((frame) => frame.lifeContext === lifeContext)?.text ?? "";
  const predicatesOf = (id: number) => values.find((value) => value.id === id)?.predicates ?? [];
  return {
    ...definition,
    language,
    title,
    scale: { ...definition.scale, labels },
    frames: definition.frames.map(({ lifeContext }) => ({ lifeContext, text: textOf(lifeContext) })),
    values: definition.values.map((value) => ({
      ...value,
      name: values.find(({ id }) => id === value.id)?.name ?? value.name,
      items: value.items.map((item, index) => ({ ...item, predicate: predicatesOf(value.id)[index] ?? "" })),
    })),
  };
}

function wordingOf(definition: Definition, assessmentId: number): Omit<Wording, "translationState" | "names"> {
  const { language, title, frames } = definition;
  const questions = arrangeQuestions(definition, assessmentId);
  return {
    language,
    title,
    questions,
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

/** That of the definition first, then those of its translations. */
export function languagesOf({
  language,
  translations = [],
}: Pick<Definition, "language" | "translations">): StatementLanguage[] {
  return [
    { language, translationState: null },
    ...translations.map((each) => ({ language: each.language, translationState: each.state ?? "draft" })),
  ];
}

/**
 * The translation state of statements answered in a language. If the language is none of these it is not known, and any
 * of them may have been used: then the lowest state of all is returned.
 * @returns null if the answers are not to a translation
 */
export function stateIn(languages: readonly StatementLanguage[], language: string): TranslationState | null {
  const shownLanguage = languages.find((each) => each.language === language);
  if (shownLanguage !== undefined) return shownLanguage.translationState;
  const states = new Set(languages.map(({ translationState }) => translationState));
  return translationStates.find((state) => states.has(state)) ?? null;
}
