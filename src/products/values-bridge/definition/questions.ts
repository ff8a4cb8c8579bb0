// Questions in their order, and the input of scoring, from a definition.
import type * as proto from "../../../gen/assessment/v1/assessment_pb.ts";
import type { ShapeOf } from "../../../json/messages.ts";
import type { QualityModel } from "../quality/model.ts";
import type { LifeContext, ScoringModel } from "../scoring/model.ts";
import type { Definition, Item, ValueDefinition } from "./definition.ts";
import { gradeCuts } from "./forms.ts";

interface FieldOverrides {
  readonly "assessment.v1.Question": { readonly type: "likert" };
  readonly "assessment.v1.ValuesBridgeConfig": { readonly lifeContext: LifeContext };
}

type QuestionShape = ShapeOf<proto.Question, FieldOverrides>;

/** A rating with its label; the id is the rating. */
export type Choice = QuestionShape["choices"][number];

/** A statement in one life context. Its id is `assessmentId * 1000 + position`. */
export interface Question extends QuestionShape {
  /** The statement without the frame of its life context. */
  readonly predicate: string;
}

/** The questions of a valid definition in asking order (see `order` in the schema); at most 999. */
export function arrangeQuestions(definition: Definition, assessmentId: number): Question[] {
  const { type, min, max, labels } = definition.scale;
  const likertConfig = { min, max };
  const choices = labels.map((label, index) => ({ id: min + index, label }));
  const block = arrangeBlock(definition);
  return definition.frames
    .flatMap((frame) => block.map(({ value, item }) => ({ frame, value, item })))
    .map(({ frame, value, item }, index) => ({
      id: assessmentId * 1000 + index + 1,
      position: index + 1,
      // In a replacement string, `$` in a predicate would have a special meaning.
      prompt: frame.text.replace("{predicate}", () => item.predicate),
      predicate: item.predicate,
      type,
      likertConfig,
      choices,
      group: frame.lifeContext,
      required: true,
      valuesBridgeConfig: {
        valueId: value.id,
        valueName: value.name,
        lifeContext: frame.lifeContext,
        inverse: item.inverse,
        omegaWeight: item.weight,
      },
    }));
}

/** The scoring model of a definition and its questions. */
export function toScoringModel(definition: Definition, questions: readonly Question[]): ScoringModel {
  return {
    questions: questions.map(({ id, valuesBridgeConfig, likertConfig }) => {
      const { valueId, lifeContext, inverse, omegaWeight } = valuesBridgeConfig;
      return { id, valueId, lifeContext, inverse, omegaWeight, ...likertConfig };
    }),
    valueIds: definition.values.map((value) => value.id),
    pairings: definition.pairings,
    archetypes: definition.archetypes,
    unresolvedArchetypeId: definition.unresolvedArchetype.id,
    constants: definition.scoring,
  };
}

interface Statement {
  readonly value: ValueDefinition;
  readonly item: Item;
}

/** The statements of one block, round after round. */
function arrangeBlock({ values, order }: Definition): Statement[] {
  const circle = values.map((value) => listItemsByRound(value).map((item) => ({ value, item })));
  const rounds = Math.max(...values.map((value) => value.items.length));
  return Array.from({ length: rounds }, (_, round) =>
    values.flatMap((_value, step) => {
      const place = (order.valueStride * step + order.roundStride * round) % values.length;
      return circle[place]?.[round] ?? [];
    }),
  ).flat();
}

/** The items of a value by round: the inverse one in round `id mod rounds`, the others in the order of the file. */
function listItemsByRound({ id, items }: ValueDefinition): Item[] {
  const inverse = items.find((item) => item.inverse);
  if (inverse === undefined) {
    return [...items];
  }
  return items.filter((item) => item !== inverse).toSpliced(id % items.length, 0, inverse);
}

/**
 * The quality model of a valid definition and its questions.
 * @param questions as `arrangeQuestions` gives them
 * @throws RangeError if they are not those of the definition
 */
export function toQualityModel(definition: Definition, questions: readonly Question[]): QualityModel {
  const indices = new Map(questions.map(({ predicate, group }, index) => [`${group} ${predicate}`, index]));
  const findIndex = (lifeContext: LifeContext, predicate: string): number => {
    const index = indices.get(`${lifeContext} ${predicate}`);
    if (index === undefined) throw new RangeError(`no ${lifeContext} question asks "${predicate}"`);
    return index;
  };
  return {
    scoring: toScoringModel(definition, questions),
    statements: definition.values.flatMap(({ id: valueId, items }) =>
      items.map(({ predicate }) => ({
        valueId,
        predicate,
        ideal: findIndex("ideal", predicate),
        current: findIndex("current", predicate),
      })),
    ),
    cuts: gradeCuts[definition.form ?? "long"],
  };
}
