// Whose answers count for norms.
import type { CompiledQuality } from "../../quality/compile.ts";
import type { ArrivalTimes } from "../../quality/model.ts";
import { isUsable, judgeResponse } from "../../quality/response.ts";
import { readSession } from "../../quality/sheet.ts";
import type { Answers } from "../../scoring/formulas/cells.ts";

/** Whether a session is complete, and its answers are good or to be taken with caution. */
export function isEligible(compiled: CompiledQuality, answers: Answers, times: ArrivalTimes | null): boolean {
  const session = readSession(compiled, answers);
  if (session.sheet.ratings.length < compiled.asked) return false;
  return isUsable(judgeResponse(compiled, session, times).grade);
}
