// People who answer as members of groups do: attentively, each in their own way.
import type { AnswerInput, AssessmentBody } from "../transports/transports.ts";
import { normal, randomOf } from "../values-bridge/simulated-people.ts";

/** Answers of an attentive person to every question, the same for the same seed. */
export function memberAnswers({ questions }: Pick<AssessmentBody, "questions">, seed: number): AnswerInput[] {
  const random = randomOf(seed);
  const direction = 2 * Math.PI * random();
  const levels = new Map<string, number>();
  const levelOf = (life: string, valueId: number) => {
    const place = `${life} ${valueId}`;
    const knownLevel = levels.get(place) ?? 3.4 + 2 * Math.cos(valueId / 3 - direction) + 0.8 * normal(random);
    levels.set(place, knownLevel);
    return knownLevel;
  };
  return questions.map(({ id, likertConfig, valuesBridgeConfig }) => {
    const { min = 1, max = 7 } = likertConfig ?? {};
    const { valueId = 0, lifeContext = "ideal", inverse = false } = valuesBridgeConfig ?? {};
    const level = levelOf(lifeContext, valueId) + 0.5 * normal(random);
    const points = Math.min(max - min, Math.max(0, Math.round(level)));
    return { questionId: id, response: { type: "likert", value: inverse ? max - points : min + points } };
  });
}
