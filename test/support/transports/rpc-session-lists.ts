// Lists of sessions as messages, and in the shape of the REST interface.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AnswerProgress, SessionMode, type SessionSummary } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import type { SubjectSession } from "../../../src/gen/assessment/v1/subject_service_pb.ts";
import { statusWords, toIso, toProgressBody } from "./rpc-bodies.ts";
import type { SessionListInput, SessionSummaryBody, SubjectSessionBody } from "./transports.ts";

const statuses: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(statusWords).map(([value, word]) => [word, Number(value)]),
);
const modes: Readonly<Record<string, SessionMode>> = { headless: SessionMode.HEADLESS, hosted: SessionMode.HOSTED };
const progresses: Readonly<Record<string, AnswerProgress>> = {
  not_started: AnswerProgress.NOT_STARTED,
  partly_answered: AnswerProgress.PARTLY_ANSWERED,
  all_answered: AnswerProgress.ALL_ANSWERED,
};
/** What no enum has. */
const unknown = 99;

export function toListMessage({
  limit = 0,
  after = "",
  status,
  mode,
  progress,
  externalId,
  version,
  groupId,
  ...times
}: SessionListInput) {
  const entries = Object.entries(times).map(([name, text]) => [name, timestampFromDate(new Date(text))]);
  return {
    pageSize: limit,
    after,
    ...(status === undefined ? {} : { status: statuses[status] ?? unknown }),
    ...(mode === undefined ? {} : { mode: modes[mode] ?? unknown }),
    ...(progress === undefined ? {} : { progress: progresses[progress] ?? unknown }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(version === undefined ? {} : { version }),
    ...(groupId === undefined ? {} : { groupId }),
    ...Object.fromEntries(entries),
  };
}

export function toSummaryBody(session: SessionSummary): SessionSummaryBody {
  if (session.subject === undefined) throw new Error("no subject");
  const { id, externalId, anonymous } = session.subject;
  const { product, groupId } = session;
  const member = groupId === undefined ? {} : { groupId };
  return { ...toListedBody(session), product, subject: { id, externalId, anonymous }, ...member };
}

export function toSubjectSessionBody(session: SubjectSession): SubjectSessionBody {
  const { totals } = session;
  return {
    ...toListedBody(session),
    totals:
      totals === undefined
        ? null
        : {
            archetypeId: totals.archetypeId,
            totalAuthenticityGapScaled: totals.totalAuthenticityGapScaled ?? null,
            totalConflictScoreScaled: totals.totalConflictScoreScaled ?? null,
            totalHarmonyScoreScaled: totals.totalHarmonyScoreScaled ?? null,
          },
  };
}

function toListedBody(session: SessionSummary | SubjectSession) {
  return {
    sessionId: session.sessionId,
    status: wordOf(statuses, session.status),
    mode: wordOf(modes, session.mode),
    assessmentVersion: session.assessmentVersion,
    createdAt: toIso(session.createdAt) ?? "",
    completedAt: toIso(session.completedAt),
    cancelledAt: toIso(session.cancelledAt),
    expiresAt: toIso(session.expiresAt),
    answersDeletedAt: toIso(session.answersDeletedAt),
    resultsDeletedAt: toIso(session.resultsDeletedAt),
    progress: toListedProgress(session),
  };
}

/** Without whose it is, which stands beside. */
function toListedProgress({ progress }: SessionSummary | SubjectSession) {
  if (progress === undefined) throw new Error("no progress");
  const { subject, mode, ...told } = progress;
  if (subject !== undefined || mode !== undefined) throw new Error("a list names the person twice");
  return toProgressBody(told);
}

function wordOf(words: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(words).find((word) => words[word] === value) ?? "unknown";
}
