// Closes groups, by a call or when their time has come: their numbers are computed, and stored in the transaction that closes
// the group.

import { setImmediate as yieldToCalls } from "node:timers/promises";
import { NIL } from "uuid";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { retryUntilStored } from "../../domain/concurrent-writes.ts";
import { minForSpread, minPeople, revealsFewerThan } from "../../domain/groups/disclosure.ts";
import { listRatingsByPosition } from "../../domain/sessions/answers.ts";
import {
  type AnsweredSession,
  beforeAllCompletions,
  type CompletedSession,
  compareCompletions,
} from "../../domain/sessions/session.ts";
import type { SessionCall } from "../../pipeline/call.ts";
import type { Member } from "../../products/product.ts";
import type { StoredGroup } from "../../store/groups/group-statements.ts";
import type { PublishedGroup } from "../../store/groups/sheet-store.ts";
import type { TestClock } from "../../store/sandbox/test-clock-store.ts";
import { readAllRows, readOneByOne } from "../all-rows.ts";
import type { Dependencies } from "../dependencies.ts";
import { type GroupRequest, getStoredGroup } from "./groups.ts";
import { assignSheets } from "./sheets.ts";

/** Closes a group and its parts permanently; a closed one does not change. Throws `not_found` and `conflict`. */
export async function closeGroup(deps: Dependencies, request: GroupRequest, call: SessionCall) {
  const group = await getStoredGroup(deps, request, call);
  if (group.closedAt !== null) return;
  const { closesAt } = group;
  const now = new Date(call.now());
  await retryUntilStored(deps, call, () =>
    closeWithParts(deps, group, closesAt !== null && closesAt < now ? closesAt : now, call.signal),
  );
}

/** Groups of one partner that a run closes, so that a partner with thousands of them does not delay the others'. */
const maxGroupsOfPartner = 50;

/**
 * Closes the groups whose time has come, those of test twins by the clock of their twin. A group that cannot be closed is a
 * defect, and left to the next run. It ends soon after the signal aborts. @returns how many it closed
 */
export async function closeDueGroups(deps: Dependencies, signal: AbortSignal) {
  const { groups, testClocks, batchSizes } = deps;
  const now = new Date(deps.clock());
  const times = new Map<string, Date>();
  const findNextPartner = (last: string = NIL) => groups.findNextDuePartner(last, now, signal);
  for await (const partnerId of readOneByOne(findNextPartner)) times.set(partnerId, now);
  const read = (last?: TestClock) => testClocks.listTestClocks(last?.partnerId ?? NIL, batchSizes.partnerRows, signal);
  for await (const { partnerId, aheadMs } of readAllRows(batchSizes.partnerRows, read)) {
    times.set(partnerId, new Date(now.getTime() + aheadMs));
  }
  let closedCount = 0;
  for (const [partnerId, time] of times) {
    for (const group of await groups.listDue(partnerId, time, maxGroupsOfPartner, signal)) {
      if (signal.aborted) return closedCount;
      try {
        if ((await closeWithParts(deps, group, group.closesAt ?? time, signal)) === "closed") closedCount += 1;
      } catch (error) {
        if (signal.aborted) throw error;
        deps.reportDefect(error, "groups");
      }
    }
  }
  return closedCount;
}

/** @returns undefined if a member was erased or a part created meanwhile: compute again */
async function closeWithParts(
  deps: Dependencies,
  group: StoredGroup,
  closedAt: Date,
  signal: AbortSignal,
): Promise<"closed" | "taken" | undefined> {
  const whole: ClosedGroup = { ...group, closedAt };
  const parts = [whole];
  for (const part of await deps.groups.listParts(group, signal)) {
    const { closesAt } = part;
    const at = part.closedAt ?? (closesAt !== null && closesAt < closedAt ? closesAt : closedAt);
    if (part.closedAt === null && (await closeWithParts(deps, part, at, signal)) === undefined) return undefined;
    parts.push({ ...part, closedAt: at });
  }
  const outcome = await deps.groups.closeGroup(group, await computeClosing(deps, whole, parts, signal), signal);
  return outcome === "changed" ? undefined : outcome;
}

/** A group that closes, or a part of it: its sessions count until then. */
type ClosedGroup = StoredGroup & { readonly closedAt: Date };

interface CountedSession {
  readonly session: CompletedSession;
  readonly member: Member;
}

/** The numbers of a group, or why it has none. Of each person, the latest session counts that they completed in time. */
async function computeClosing(
  deps: Dependencies,
  { partnerId, assessmentId, closedAt }: ClosedGroup,
  parts: readonly ClosedGroup[],
  signal: AbortSignal,
) {
  const latest = new Map<string, CountedSession>();
  for (const part of parts) await addSessions(deps, part, latest, signal);
  const countedSessions = [...latest.values()];
  const nothing = { closedAt, closings: 0, members: [] };
  const withhold = (withheld: "too_few" | "disclosive") => ({ ...nothing, outcome: { withheld } });
  if (countedSessions.length < minPeople) return withhold("too_few");
  const closings = await deps.groups.countClosings(partnerId, signal);
  const sessions = countedSessions.map(({ session }) => session);
  const members = await assignSheets(deps, partnerId, sessions, closedAt, signal);
  const sheets = members?.map(({ sheetId }) => sheetId) ?? [];
  const publishedSheets = members && (await deps.sheets.listPublishedWith(partnerId, sheets, signal));
  const reveals = (others: readonly PublishedGroup[], minimum: number) =>
    revealsFewerThan([...others.map((other) => other.sheets), sheets], minimum, yieldToCalls);
  if (members === undefined || publishedSheets === undefined || (await reveals(publishedSheets, minPeople))) {
    return withhold("disclosive");
  }
  const withSpread = publishedSheets.filter(({ hasSpread }) => hasSpread);
  const publishesSpread = !(await reveals(withSpread, minForSpread));
  const assessment = await deps.catalogue.getById(assessmentId);
  const numbers = assessment.getGroups().summarizeGroup(
    countedSessions.map(({ member }) => member),
    publishesSpread,
  );
  return { closedAt, closings, members, outcome: { numbers: JSON.stringify(numbers), hasSpread: publishesSpread } };
}

/** Adds the sessions that count. @param latest of each person, by external id */
async function addSessions(
  deps: Dependencies,
  group: ClosedGroup,
  latest: Map<string, CountedSession>,
  signal: AbortSignal,
): Promise<void> {
  const { groups, catalogue, batchSizes } = deps;
  const assessment = await catalogue.getById(group.assessmentId);
  const { groupSessions: size } = batchSizes;
  const read = (last: Pick<CompletedSession, "id"> = beforeAllCompletions) =>
    groups.listCompleted(group, last.id, size, signal);
  for await (const session of readAllRows(size, read)) {
    const previous = latest.get(session.externalId);
    if (session.completedAt > group.closedAt) continue;
    if (previous !== undefined && compareCompletions(session, previous.session) < 0) continue;
    const member = readMemberSheet(deps, session, assessment);
    if (member !== null) latest.set(session.externalId, { session, member });
  }
}

/** A session that cannot be read is a defect, and does not count, like one of grade `fail`. */
function readMemberSheet(
  { reportDefect }: Dependencies,
  session: AnsweredSession,
  assessment: PublishedAssessment,
): Member | null {
  try {
    return assessment.getGroups().readMember(listRatingsByPosition(session, assessment), session.arrivals);
  } catch (error) {
    reportDefect(error, "groups");
    return null;
  }
}
