// What a list of sessions lets pass, and how it goes on behind a page.
import { describe, expect, test } from "vitest";
import { answerProgressOf, type ProgressSource, progressOf } from "../../../src/domain/sessions/progress.ts";
import {
  listCursor,
  listSessions,
  listSubjectSessions,
  readListCursor,
  type SessionListDeps,
} from "../../../src/services/sessions/session-lists.ts";
import { type ListedSession, maxLookedAt } from "../../../src/store/sessions/session-list-store.ts";
import { at, someArrivals, someAssessment, someId, someSession } from "../../support/builders.ts";
import { opened } from "../../support/values-bridge/opened.ts";

const assessment = opened(someAssessment());
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
    [0, "not_started"],
    [1, "partly_answered"],
    [all - 1, "partly_answered"],
    [all, "all_answered"],
  ])("is told by its answers: %i are %s", (count, words) => {
    const progress = progressOf({ ...fresh, answers: answers(count) }, assessment);
    expect(progress).toMatchObject({ answered: count, total: all });
    expect(answerProgressOf(progress)).toBe(words);
  });

  test("is not known once the answers are deleted", () => {
    const progress = progressOf({ ...fresh, answersDeletedAt: at(9) }, assessment);
    expect(progress.answered).toBeNull();
    expect(answerProgressOf(progress)).toBeUndefined();
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
  const list = (changes: object) => {
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
    const query = { partnerId: "partner", product: "small-example", pageSize: 0, after: "", ...changes };
    return listSessions(deps as never, query as never, deadline);
  };
  const idsOf = (page: Awaited<ReturnType<typeof list>>) =>
    page.sessions.map(({ id }) => sessions.findIndex((each) => each.id === id));

  test.each([
    ["not started", { progress: "not_started" }, [0, 2]],
    ["partly answered", { progress: "partly_answered" }, [1]],
    ["without activity since before a moment", { lastActivityBefore: at(3) }, [2]],
    ["without activity since before the next", { lastActivityBefore: at(4) }, [0, 2]],
    ["that both describe", { lastActivityBefore: at(6), progress: "partly_answered" }, [1]],
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
      [at(4), at(6)],
      [at(6), at(4)],
      [undefined, at(4)],
      [at(4), undefined],
    ]) {
      await list({ createdBefore, lastActivityBefore });
      expect(asked.at(-1)?.createdBefore).toEqual(at(4));
    }
  });

  test("goes on behind the last session of a page, be there more that pass or not", async () => {
    const filter = { progress: "not_started", pageSize: 1 };
    const { next } = await list(filter);
    await list({ ...filter, after: next });
    expect(asked.at(-1)?.before).toBe(sessions[0]?.id);
    const { next: last } = await list({ ...filter, pageSize: 2 });
    await list({ ...filter, after: last });
    expect(asked.at(-1)?.before).toBe(sessions[2]?.id);
    const other = { code: "invalid_request", violations: [expect.objectContaining({ code: "invalid_cursor" })] };
    for (const changes of [
      ...[{ progress: "all_answered" }, { partnerId: "other" }, { product: "other" }, { lastActivityBefore: at(4) }],
      ...[{ state: "completed" }, { mode: "hosted" }, { externalId: "p1" }, { version: 1 }, { groupId: someId() }],
      ...[{ createdAfter: at(1) }, { createdBefore: at(1) }, { completedAfter: at(1) }, { completedBefore: at(1) }],
    ]) {
      await expect(list({ ...filter, after: last, ...changes })).rejects.toMatchObject(other);
    }
  });
});

test("a person without sessions is not there, but a page after the last session is only empty", async () => {
  const deps = {
    sessionLists: { listSubjectSessions: async () => ({ sessions: [], next: undefined }) },
    catalogue: { published: async () => assessment },
    clock: () => at(9).getTime(),
  } as unknown as SessionListDeps;
  const query = { partnerId: "partner", product: "small-example", externalId: "p1", pageSize: 0, after: "" };
  await expect(listSubjectSessions(deps, query, deadline)).rejects.toMatchObject({ code: "not_found" });
  const after = listCursor(someId(), ["person", "partner", "small-example", "p1"]);
  expect(await listSubjectSessions(deps, { ...query, after }, deadline)).toEqual({ sessions: [], next: "" });
});

test("a cursor is of its list, and of no other", () => {
  const id = someId();
  const cursor = listCursor(id, ["groups", 1]);
  expect(readListCursor(cursor, ["groups", 1])).toBe(id);
  for (const [wrong, asked] of [
    [cursor, ["groups", 2]],
    [cursor.slice(0, -1), ["groups", 1]],
    [`${cursor}x`, ["groups", 1]],
    ["", ["groups", 1]],
  ] as const) {
    expect(() => readListCursor(wrong, asked)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  }
});
