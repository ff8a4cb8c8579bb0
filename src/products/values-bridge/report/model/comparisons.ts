// Comparisons of answers with an earlier session, and with other people.
import type { ReportChange, ReportOthers } from "../report-model.ts";
import { highPercentile, minChangeSteps } from "./rules.ts";
import type { ReportWriter } from "./writer.ts";

type Entry = ReportChange["entries"][number];

/** Jointly significant changes, the largest first; null without a comparison. */
export function writeChange(writer: ReportWriter): ReportChange | null {
  const { input, facts, texts, say, toSteps, formatStepCount, formatDate, getValueName } = writer;
  const { statements = null, since = new Date(0) } = input.comparison ?? {};
  if (statements === null || facts.noDifferencesReason !== null) return null;
  const entries = statements.values.flatMap(({ valueId, ...lives }) =>
    (["ideal", "current"] as const).flatMap((life): Entry[] => {
      const { change = 0, consistent = null } = lives[life] ?? {};
      const steps = toSteps(change);
      if (consistent !== "joint" || Math.abs(steps) < minChangeSteps) return [];
      const now = facts.values.find((value) => value.valueId === valueId)?.[life].score ?? 0;
      const before = Math.min(1, Math.max(0, now - change / 100));
      const text = texts[`change${life === "ideal" ? "Wanted" : "Today"}${steps > 0 ? "Up" : "Down"}`];
      const parameters = { value: getValueName(valueId), steps: formatStepCount(Math.abs(steps)) };
      return [{ valueId, life, steps, before, now, text: say(text, parameters) }];
    }),
  );
  const date = formatDate(since, input.person?.timeZone);
  const hasEntries = entries.length > 0;
  return {
    title: texts.changeTitle,
    note: hasEntries ? `${say(texts.changeNote, { date })} ${texts.changePicture}` : say(texts.changeNone, { date }),
    entries: entries.sort((one, other) => Math.abs(other.steps) - Math.abs(one.steps)),
    rest: hasEntries ? texts.changeRest : null,
  };
}

/** The ranks among other people; null without norms of a known language, or if the answers distinguish no values. */
export function writeOthers({ facts, texts, say, getValueName }: ReportWriter): ReportOthers | null {
  const { norms = null } = facts.quality ?? {};
  if (norms === null || norms.language === "und" || facts.noDifferencesReason !== null) return null;
  const ranks = norms.values.flatMap(({ valueId, ideal }) => {
    const [lowest, highest] = ideal?.percentileRange ?? [];
    return ideal === null || lowest === undefined || highest === undefined
      ? []
      : [{ valueId, place: ideal.percentile, lowest, highest }];
  });
  if (ranks.length === 0) return null;
  const entries = ranks
    .filter(({ lowest, highest }) => lowest > highPercentile || highest < 100 - highPercentile)
    .map((rank) => {
      const text = rank.lowest > highPercentile ? texts.othersMore : texts.othersLess;
      return { ...rank, text: say(text, { value: getValueName(rank.valueId) }) };
    });
  const people = say(norms.scope === "partner" ? texts.othersOwn : texts.othersAll, { count: norms.n });
  const hasEntries = entries.length > 0;
  const notes = [people, ...(norms.provisional ? [texts.othersFew] : []), ...(hasEntries ? [texts.othersPicture] : [])];
  const rest = [hasEntries ? texts.othersRest : texts.othersNone];
  if (ranks.length < facts.values.length) rest.push(texts.othersUnanswered);
  return {
    title: texts.othersTitle,
    note: notes.join(" "),
    entries: entries.sort((one, other) => Math.abs(other.place - 50) - Math.abs(one.place - 50)),
    rest: rest.join(" "),
    less: texts.othersEndLess,
    more: texts.othersEndMore,
  };
}
