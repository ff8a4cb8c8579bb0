// What answers are compared with: those of an earlier session, and those of other people.
import type { ReportChange, ReportOthers } from "../report-model.ts";
import type { ReportTexts } from "../words/language.ts";
import type { ReportContext } from "./facts.ts";
import { changeSteps, mostOthers } from "./rules.ts";

type Entry = ReportChange["entries"][number];

const changeTexts: Readonly<
  Record<Entry["life"], Readonly<Record<"up" | "down", keyof ReportTexts & `change${string}`>>>
> = {
  ideal: { up: "changeWantedUp", down: "changeWantedDown" },
  current: { up: "changeTodayUp", down: "changeTodayDown" },
};

/** Changes that are significant among all, the largest first. Null: there is none, or nothing to compare. */
export function changeOf({ input, facts, words, language }: ReportContext): ReportChange | null {
  const statements = input.comparison?.statements ?? null;
  if (statements === null || facts.noDifferencesReason !== null) return null;
  const { min, max } = input.definition.scale;
  const entries = statements.values.flatMap(({ valueId, ...lives }) =>
    (["ideal", "current"] as const).flatMap((life): Entry[] => {
      const lifeChange = lives[life];
      if (lifeChange?.consistent !== "joint") return [];
      const steps = (lifeChange.change * (max - min)) / 100;
      if (Math.abs(steps) < changeSteps) return [];
      const now = facts.values.find((value) => value.valueId === valueId)?.[life].score ?? 0;
      const before = Math.min(1, Math.max(0, now - lifeChange.change / 100));
      const text = language.texts[changeTexts[life][steps > 0 ? "up" : "down"]];
      const filled = { value: words.nameOf(valueId).text, steps: language.stepCount(Math.abs(steps)) };
      return [{ valueId, life, steps, before, now, text: language.say(text, filled) }];
    }),
  );
  if (entries.length === 0 || !input.comparison) return null;
  const date = language.day(input.comparison.since, input.person?.timeZone);
  return {
    title: language.texts.changeTitle,
    note: `${language.say(language.texts.changeNote, { date })} ${language.texts.changePicture}`,
    entries: entries.sort((one, other) => Math.abs(other.steps) - Math.abs(one.steps)),
  };
}

/** Null without norms of a known language, and if the answers do not distinguish values. */
export function othersOf({ facts, words, language }: ReportContext): ReportOthers | null {
  const { texts, say } = language;
  const norms = facts.quality?.norms ?? null;
  if (norms === null || norms.language === "und" || facts.noDifferencesReason !== null) return null;
  const standings = new Map(norms.values.map(({ valueId, ideal }) => [valueId, ideal]));
  const entries = facts.values.flatMap(({ valueId }) => {
    const standing = standings.get(valueId) ?? null;
    if (standing === null) return [];
    const { percentile: place, halfWidth } = standing;
    const isMore = place - halfWidth > mostOthers;
    const isLess = place + halfWidth < 100 - mostOthers;
    const text = isMore ? texts.othersMore : isLess ? texts.othersLess : texts.othersLike;
    return [{ valueId, place, halfWidth, text: say(text, { value: words.nameOf(valueId).text }) }];
  });
  if (entries.length === 0) return null;
  const people = say(norms.scope === "partner" ? texts.othersOwn : texts.othersAll, { count: norms.n });
  const note = [people, ...(norms.provisional ? [texts.othersFew] : []), texts.othersPicture].join(" ");
  return {
    title: texts.othersTitle,
    note,
    entries: entries.toSorted((one, other) => distanceOf(other) - distanceOf(one)),
  };
}

/** From the middle of the others, in percentile points. */
function distanceOf({ place }: ReportOthers["entries"][number]): number {
  return Math.abs(place - 50);
}
