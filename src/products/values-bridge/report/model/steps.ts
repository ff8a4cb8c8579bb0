// Small steps: suggestions for the largest differences, and the step that the person chose.
import type { ReportStepOffer, ReportSteps } from "../report-model.ts";
import steps from "../words/steps.json" with { type: "json" };
import type { ReportContext, ValueFacts } from "./facts.ts";
import { maxStepOffers } from "./rules.ts";
import { compareSize } from "./sections.ts";

/** Suggestions by language and by the name of the value in the shipped definition, for more of it and for less. */
const suggestions: ReadonlyMap<
  string,
  Readonly<Record<string, Readonly<Record<"more" | "less", readonly string[]>>>>
> = new Map(Object.entries(steps));

/** Null if there is nothing to choose and nothing was chosen. */
export function writeSteps(context: ReportContext): ReportSteps | null {
  const { facts, input, language } = context;
  const { texts, say, formatDate } = language;
  const { chosen: chosenStep = null, earlier = null } = input.steps ?? {};
  const gapValues = facts.noDifferencesReason === null ? facts.values.filter(({ gap }) => gap?.named) : [];
  const offers = gapValues
    .sort(compareSize)
    .flatMap((value) => writeOffer(value, context))
    .slice(0, maxStepOffers);
  if (offers.length === 0 && chosenStep === null && earlier === null) return null;
  const formatDay = (date: string) => formatDate(new Date(`${date}T00:00:00Z`), "UTC");
  return {
    title: texts.stepsTitle,
    note: texts.stepsNote,
    offers,
    chosen: chosenStep && {
      ...chosenStep,
      text: say(texts.stepChosen, { step: chosenStep.step }),
      again: chosenStep.lookAgainOn && say(texts.stepAgain, { date: formatDay(chosenStep.lookAgainOn) }),
    },
    earlier: earlier && say(texts.stepEarlier, { step: earlier }),
  };
}

function writeOffer({ valueId, gap }: ValueFacts, { input, words, language }: ReportContext): ReportStepOffer[] {
  const name = input.definition.values.find(({ id }) => id === valueId)?.name ?? "";
  const languageSuggestions = suggestions.get(language.tag) ?? {};
  if (gap === null || !Object.hasOwn(languageSuggestions, name)) return [];
  const [way, text] = gap.steps > 0 ? (["more", "stepMore"] as const) : (["less", "stepLess"] as const);
  const title = language.say(language.texts[text], { value: words.findValueName(valueId).text });
  return [{ valueId, text: title, steps: languageSuggestions[name]?.[way] ?? [] }];
}
