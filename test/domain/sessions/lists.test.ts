// What a list of sessions lets pass, and how it goes on behind a page.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { answerProgressOf, type ProgressSource, progressOf } from "../../../src/domain/sessions/progress.ts";
import {
  AnswerProgress,
  ListSessionsRequestSchema,
  SessionMode,
  SessionStatus,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { ListSubjectSessionsRequestSchema } from "../../../src/gen/assessment/v1/subject_service_pb.ts";
import {
  listCursor,
  listOf,
  listSessions,
  listSubjectSessions,
  readListCursor,
  type SessionListDeps,
} from "../../../src/services/sessions/session-lists.ts";
import { type ListedSession, maxLookedAt } from "../../../src/store/sessions/session-list-store.ts";
import { at, someArrivals, someAssessment, someId, someSession } from "../../support/builders.ts";
import { opened } from "../../support/values-bridge/opened.ts";

const assessment = opened(someAssessment());
const partner = someId();
const all = assessment.questions.length;
const deadline = { signal: new AbortController().signal, at: Number.MAX_SAFE_INTEGER };

describe("the progress of a session", () => {
  const fresh: ProgressSource = {
    answers: [],
    answersDeletedAt: null,
    arrivals: null,
    createdAt: at(0),
    completedAt: null,
    cancelledAt: null,
  };
  const answers = (count: number) => Array.from({ length: all }, (_, index) => (index < count ? 3 : null));

  test.each([
    [0, AnswerProgress.NOT_STARTED],
    [1, AnswerProgress.PARTLY_ANSWERED],
    [all - 1, AnswerProgress.PARTLY_ANSWERED],
    [all, AnswerProgress.ALL_ANSWERED],
  ])("is told by its answers: %i are %s", (count, words) => {
    const progress = progressOf({ ...fresh, answers: answers(count) }, assessment);
    expect(progress).toMatchObject({ answered: count, total: all });
    expect(answerProgressOf(progress)).toBe(words);
  });

  test("is not known once the answers are deleted", () => {
    const progress = progressOf({ ...fresh, answersDeletedAt: at(9) }, assessment);
    expect(progress.answered).toBeNull();
    expect(answerProgressOf(progress)).toBe(AnswerProgress.UNSPECIFIED);
  });

  const arrivals = { ...someArrivals(at(1)), lastAnswerAt: at(2) };
  test.each<[string, Partial<ProgressSource>, Date]>([
    ["it was created", {}, at(0)],
    ["an answer came last", { answers: answers(1), arrivals }, at(2)],
    ["it was completed", { answers: answers(all), arrivals, completedAt: at(3) }, at(3)],
    ["it was cancelled", { answers: answers(1), arrivals, cancelledAt: at(4) }, at(4)],
  ])("was last when %s", (_, changes, expected) => {
    expect(progressOf({ ...fresh, ...changes }, assessment).lastActivityAt).toEqual(expected);
  });
});

describe("a list", () => {
  type Changes = MessageInitShape<typeof ListSessionsRequestSchema> & { readonly partnerId?: string };
  const time = (ms: number) => timestampFromDate(at(ms));
  const sessions: ListedSession[] = [3, 2, 1].map((ms) => ({
    ...someSession({ createdAt: at(ms) }),
    version: 1,
    completedAt: null,
    cancelledAt: null,
    answersDeletedAt: null,
    resultsDeletedAt: null,
    revision: 0,
    answers: ms === 2 ? [3] : [],
    arrivals: ms === 2 ? someArrivals(at(5)) : null,
    shownLanguage: null,
  }));
  const asked: { createdBefore?: Date | undefined; limit?: number; before?: string | undefined }[] = [];
  const list = (changes: Changes) => {
    const deps = {
      sessionLists: {
        listSessions: async (_partner: string, _product: string, filter: object, position: object) => {
          asked.push({ ...filter, ...position });
          return { sessions, next: sessions.at(-1)?.id };
        },
        listSubjectSessions: () => Promise.reject(new Error("not asked for")),
      },
      catalogue: { published: async () => assessment, byId: async () => assessment },
      clock: () => at(9).getTime(),
    };
    const { partnerId, ...members } = { partnerId: partner, product: "small-example", ...changes };
    return listSessions(deps as never, partnerId, create(ListSessionsRequestSchema, members), deadline);
  };
  const idsOf = (page: Awaited<ReturnType<typeof list>>) =>
    page.sessions.map(({ sessionId }) => sessions.findIndex((each) => each.id === sessionId));

  test.each([
    ["not started", { progress: AnswerProgress.NOT_STARTED }, [0, 2]],
    ["partly answered", { progress: AnswerProgress.PARTLY_ANSWERED }, [1]],
    ["without activity since before a moment", { lastActivityBefore: time(3) }, [2]],
    ["without activity since before the next", { lastActivityBefore: time(4) }, [0, 2]],
    ["that both describe", { lastActivityBefore: time(6), progress: AnswerProgress.PARTLY_ANSWERED }, [1]],
  ])("of sessions %s has those", async (_, filter, expected) => {
    expect(idsOf(await list(filter))).toEqual(expected);
    expect(asked.at(-1)?.limit).toBe(maxLookedAt);
  });

  test("without such a filter looks at a page alone", async () => {
    expect(idsOf(await list({ pageSize: 3 }))).toEqual([0, 1, 2]);
    expect(asked.at(-1)).toMatchObject({ limit: 3, before: undefined });
  });

  test("looks at sessions that were created before either time", async () => {
    for (const [createdBefore, lastActivityBefore] of [
      [time(4), time(6)],
      [time(6), time(4)],
      [undefined, time(4)],
      [time(4), undefined],
    ]) {
      await list({ ...(createdBefore && { createdBefore }), ...(lastActivityBefore && { lastActivityBefore }) });
      expect(asked.at(-1)?.createdBefore).toEqual(at(4));
    }
  });

  test("goes on behind the last session of a page, be there more that pass or not", async () => {
    const filter = { progress: AnswerProgress.NOT_STARTED, pageSize: 1 };
    const { next } = await list(filter);
    await list({ ...filter, after: next });
    expect(asked.at(-1)?.before).toBe(sessions[0]?.id);
    const { next: last } = await list({ ...filter, pageSize: 2 });
    await list({ ...filter, after: last });
    expect(asked.at(-1)?.before).toBe(sessions[2]?.id);
    const other = { code: "invalid_request", violations: [expect.objectContaining({ code: "invalid_cursor" })] };
    for (const changes of [
      ...[
        { progress: AnswerProgress.ALL_ANSWERED },
        { partnerId: someId() },
        { product: "other" },
        { lastActivityBefore: time(4) },
      ],
      ...[
        { status: SessionStatus.COMPLETED },
        { mode: SessionMode.HOSTED },
        { externalId: "p1" },
        { version: 1 },
        { groupId: someId() },
      ],
      ...[
        { createdAfter: time(1) },
        { createdBefore: time(1) },
        { completedAfter: time(1) },
        { completedBefore: time(1) },
      ],
    ]) {
      await expect(list({ ...filter, after: last, ...changes })).rejects.toMatchObject(other);
    }
  });
});

test("a person without sessions is not there, but a page after the last session is only empty", async () => {
  const deps = {
    sessionLists: { listSubjectSessions: async () => ({ sessions: [], next: undefined }) },
    catalogue: { published: async () => assessment, product: {} },
    clock: () => at(9).getTime(),
  } as unknown as SessionListDeps;
  const request = create(ListSubjectSessionsRequestSchema, { product: "small-example", externalId: "p1" });
  await expect(listSubjectSessions(deps, partner, request, deadline)).rejects.toMatchObject({ code: "not_found" });
  request.after = listCursor(someId(), listOf(ListSubjectSessionsRequestSchema, partner, request));
  expect(await listSubjectSessions(deps, partner, request, deadline)).toMatchObject({ sessions: [], next: "" });
});

test("a cursor is of its list, and of no other", () => {
  const id = someId();
  const cursor = listCursor(id, "groups 1");
  expect(readListCursor(cursor, "groups 1")).toBe(id);
  for (const [wrong, asked] of [
    [cursor, "groups 2"],
    [cursor.slice(0, -1), "groups 1"],
    [`${cursor}x`, "groups 1"],
    ["", "groups 1"],
  ] as const) {
    expect(() => readListCursor(wrong, asked)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  }
});
