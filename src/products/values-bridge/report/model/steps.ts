// Small steps: suggestions for the largest differences, and the step that the person chose.
import type { ReportStepOffer, ReportSteps } from "../report-model.ts";
import steps from "../words/steps.json" with { type: "json" };
import type { ValueFacts } from "./facts.ts";
import { listNamedGaps } from "./order.ts";
import { maxStepOffers } from "./rules.ts";
import type { ReportWriter } from "./writer.ts";

type Suggestions = Readonly<Record<string, Readonly<Record<"more" | "less", readonly string[]>>>>;

/** Suggestions by language and by the name of the value in the shipped definition, for more of it and for less. */
const suggestions: ReadonlyMap<string, Suggestions> = new Map(Object.entries(steps));

/** Null if there is nothing to choose and nothing was chosen. */
export function writeSteps(writer: ReportWriter): ReportSteps | null {
  const { facts, input, texts, say, formatDate } = writer;
  const { chosen: chosenStep = null, earlier = null } = input.steps ?? {};
  const gaps = facts.noDifferencesReason === null ? listNamedGaps(facts) : [];
  const offers = gaps.flatMap((value) => writeOffer(value, writer)).slice(0, maxStepOffers);
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

function writeOffer(
  { valueId, gap }: ValueFacts,
  { input, tag, texts, say, getValueName }: ReportWriter,
): ReportStepOffer[] {
  const name = input.definition.values.find(({ id }) => id === valueId)?.name ?? "";
  const languageSuggestions = suggestions.get(tag) ?? {};
  if (gap === null || !Object.hasOwn(languageSuggestions, name)) return [];
  const [way, text] = gap.steps > 0 ? (["more", texts.stepMore] as const) : (["less", texts.stepLess] as const);
  const title = say(text, { value: getValueName(valueId) });
  return [{ valueId, text: title, steps: languageSuggestions[name]?.[way] ?? [] }];
}
