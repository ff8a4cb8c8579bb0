// Comparisons of answers with an earlier session, and with other people.
import type { ReportChange, ReportOthers } from "../report-model.ts";
import type { ReportContext } from "./facts.ts";
import { highPercentile, minChangeSteps } from "./rules.ts";

type Entry = ReportChange["entries"][number];

/** Jointly significant changes, the largest first; null without a comparison. */
export function writeChange({ input, facts, words, language }: ReportContext): ReportChange | null {
  const statements = input.comparison?.statements ?? null;
  if (statements === null || facts.noDifferencesReason !== null) return null;
  const { min, max } = input.definition.scale;
  const entries = statements.values.flatMap(({ valueId, ...lives }) =>
    (["ideal", "current"] as const).flatMap((life): Entry[] => {
      const lifeChange = lives[life];
      if (lifeChange?.consistent !== "joint") return [];
      const steps = (lifeChange.change * (max - min)) / 100;
      if (Math.abs(steps) < minChangeSteps) return [];
      const now = facts.values.find((value) => value.valueId === valueId)?.[life].score ?? 0;
      const before = Math.min(1, Math.max(0, now - lifeChange.change / 100));
      const text = language.texts[`change${life === "ideal" ? "Wanted" : "Today"}${steps > 0 ? "Up" : "Down"}`];
      const parameters = { value: words.findValueName(valueId).text, steps: language.formatStepCount(Math.abs(steps)) };
      return [{ valueId, life, steps, before, now, text: language.say(text, parameters) }];
    }),
  );
  if (!input.comparison) return null;
  const { texts, say } = language;
  const date = language.formatDate(input.comparison.since, input.person?.timeZone);
  const isAny = entries.length > 0;
  return {
    title: texts.changeTitle,
    note: isAny ? `${say(texts.changeNote, { date })} ${texts.changePicture}` : say(texts.changeNone, { date }),
    entries: entries.sort((one, other) => Math.abs(other.steps) - Math.abs(one.steps)),
    rest: isAny ? texts.changeRest : null,
  };
}

/** The ranks among other people; null without norms of a known language, or if the answers distinguish no values. */
export function writeOthers({ facts, words, language }: ReportContext): ReportOthers | null {
  const { texts, say } = language;
  const norms = facts.quality?.norms ?? null;
  if (norms === null || norms.language === "und" || facts.noDifferencesReason !== null) return null;
  const standings = new Map(norms.values.map(({ valueId, ideal }) => [valueId, ideal]));
  const entries = [...standings].flatMap(([valueId, standing]) => {
    const { percentile: place, percentileRange } = standing ?? {};
    if (place === undefined || !percentileRange) return [];
    const [lowest, highest] = percentileRange;
    if (lowest <= highPercentile && highest >= 100 - highPercentile) return [];
    const text = lowest > highPercentile ? texts.othersMore : texts.othersLess;
    return [{ valueId, place, lowest, highest, text: say(text, { value: words.findValueName(valueId).text }) }];
  });
  const isCompared = (valueId: number) => standings.get(valueId)?.percentileRange != null;
  const comparedValues = facts.values.filter(({ valueId }) => isCompared(valueId));
  if (comparedValues.length === 0) return null;
  const people = say(norms.scope === "partner" ? texts.othersOwn : texts.othersAll, { count: norms.n });
  const isAny = entries.length > 0;
  const notes = [people, ...(norms.provisional ? [texts.othersFew] : []), ...(isAny ? [texts.othersPicture] : [])];
  const rest = [isAny ? texts.othersRest : texts.othersNone];
  if (comparedValues.length < facts.values.length) rest.push(texts.othersUnanswered);
  return {
    title: texts.othersTitle,
    note: notes.join(" "),
    entries: entries.toSorted((one, other) => distanceFromMiddle(other) - distanceFromMiddle(one)),
    rest: rest.join(" "),
    less: texts.othersEndLess,
    more: texts.othersEndMore,
  };
}

/** From the middle of the others, in percentile points. */
function distanceFromMiddle({ place }: ReportOthers["entries"][number]): number {
  return Math.abs(place - 50);
}
