// How fast answers came, from when calls arrived.
import type { ArrivalTimes } from "../model.ts";

const leastCalls = 3;
const leastLaterAnswers = 20;

/**
 * Seconds from the first to the last arrival for each answer after the first call, whose own answers took an unknown
 * time. Null without times, below 3 calls, below 20 such answers, or if the clock was set back in between.
 * @param answers number of answers of the session, those of weight 0 included
 */
export function secondsPerAnswerOf(times: ArrivalTimes | null, answers: number): number | null {
  if (times === null) return null;
  const laterAnswers = answers - times.firstCallAnswers;
  const ms = times.lastAnswerAt.getTime() - times.firstAnswerAt.getTime();
  if (times.answerCalls < leastCalls || laterAnswers < leastLaterAnswers || ms < 0) return null;
  return ms / laterAnswers / 1000;
}
