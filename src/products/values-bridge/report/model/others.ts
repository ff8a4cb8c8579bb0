// How much weight the person gives each value among their own, beside that which others give it.
import type { ReportOthers } from "../report-model.ts";
import type { ReportContext } from "./context.ts";
import { mostOthers } from "./rules.ts";

/** Null without norms of a known language, and where the answers tell values not apart. */
export function othersOf({ facts, words, language }: ReportContext): ReportOthers | null {
  const { texts, say } = language;
  const norms = facts.quality?.norms ?? null;
  if (norms === null || norms.language === "und" || facts.silence !== null) return null;
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
  return { title: texts.othersTitle, note, entries };
}
